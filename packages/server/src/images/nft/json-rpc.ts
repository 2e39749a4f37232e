import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ChainSetting } from '../../platform/settings/chain-setting.ts';

/** Milliseconds until the endpoint begins one answer. */
const TIMEOUT = 10_000;
/** Milliseconds before a request is sent for the second and last time. */
const PAUSE = 150;

const replySchema = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string().catch('') }) }),
  z.object({ result: z.unknown() }),
]);

/** The endpoint did not answer, or not as the chain that it should be. Its address is not in the message. */
export class ChainFailure extends Error {
  override readonly name: string = 'ChainFailure';
}

/** The endpoint answered with an error (JSON-RPC 2.0, section 5.1). */
export class RpcRefusal extends ChainFailure {
  /** The contract itself refused the call. */
  readonly isRevert: boolean;

  constructor(message: string, isRevert: boolean) {
    super(message);
    this.isRevert = isRevert;
  }
}

/** Asks the endpoint of a chain one thing, and once more where it is busy or cannot be reached. */
export async function callChain(
  { name, rpcUrl }: ChainSetting,
  method: string,
  params: readonly unknown[],
  deadline: AbortSignal,
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer =
    (await post(rpcUrl, body, deadline)) ??
    (await delay(PAUSE, undefined, { signal: deadline }).then(() => post(rpcUrl, body, deadline)));
  const reply = replySchema.safeParse(answer);
  if (!reply.success) throw new ChainFailure(`the endpoint of ${name} failed: no answer to ${method}`);
  if ('result' in reply.data) return reply.data.result;
  const { code, message } = reply.data.error;
  // 3 is go-ethereum's code of a revert; others say it in words, or as an internal error (-32603)
  const isRevert = code === 3 || code === -32_603 || /revert/i.test(message);
  throw new RpcRefusal(`the endpoint of ${name} refused ${method}: ${code}`, isRevert);
}

/** The body of the answer; `undefined`: it was busy, could not be reached, or sent no JSON. */
async function post(url: string, body: string, deadline: AbortSignal): Promise<unknown> {
  const begun = new AbortController();
  const timer = setTimeout(() => begun.abort(), TIMEOUT);
  try {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.any([deadline, begun.signal]);
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    clearTimeout(timer);
    return await response.json();
  } catch {
    // what fetch says may name the endpoint's address, which may hold a secret
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
