import { readAddress } from '../check/page-address.ts';

/** Address of what was issued for a host; other addresses of the log lie beside it. */
const LOG = '/api/v1/mc4p/log';

export const domainLogPath = (host: string): string => `${LOG}/domains/${encodeURIComponent(host)}`;

/** Of the inclusion of a proof in the log. */
export const logProofPath = (proof: string): string => `${LOG}/proofs/${proof}`;

/** The host that a user means, who entered its name in any script and case, or the address of a page; `undefined` if there is none. */
export function readHost(entered: string): string | undefined {
  const address = readAddress(entered);
  if (address.kind === 'bad') return undefined;
  const host = new URL(address.url).hostname.replace(/\.$/, '');
  return /^[a-z0-9._-]+$/.test(host) ? host : undefined;
}
