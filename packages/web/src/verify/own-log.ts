import {
  type LogFinding,
  logFinding,
  logProofOf,
  type Policy,
  parsePolicy,
  verifyLogProof,
} from '@touchstone/certificate/log';
import { fetchOrKept } from './own-lists.ts';

const POLICY = '/api/v1/mc4p/log/policy';

/** Tells what a certificate says about its place in a log; `undefined` if it says nothing. */
export type LookAtLog = (document: unknown) => Promise<LogFinding | undefined>;

/**
 * Verifies what certificates say about their place in a log, by the policy that the service of this page publishes: its own logs, and the
 * witnesses that it has chosen. It is read when the first certificate says something, from this origin only, and kept for use without a
 * network.
 */
export function ownLog(request: typeof fetch = fetchOrKept): LookAtLog {
  let policy: Promise<Policy> | undefined;
  const read = async (): Promise<Policy> => {
    const response = await request(POLICY, { headers: { accept: 'text/plain' } });
    const found = response.ok ? await parsePolicy(await response.text()) : { fault: response.status };
    if ('fault' in found) throw new Error(`no policy: ${found.fault}`);
    return found;
  };
  return async (document) => {
    if (logProofOf(document) === undefined) return undefined;
    policy ??= read();
    try {
      return await verifyLogProof(document, undefined, { policy: await policy });
    } catch {
      policy = undefined;
      return logFinding('log_unreachable');
    }
  };
}
