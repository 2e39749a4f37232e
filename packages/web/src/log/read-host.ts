import { readAddress } from '../check/page-address.ts';

/** The host that a user means, who entered its name in any script and case, or the address of a page; `undefined` if there is none. */
export function readHost(entered: string): string | undefined {
  const address = readAddress(entered);
  if (address.kind === 'bad') return undefined;
  const host = new URL(address.url).hostname.replace(/\.$/, '');
  return /^[a-z0-9._-]+$/.test(host) ? host : undefined;
}
