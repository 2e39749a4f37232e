import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether an address in the chain of a request is a trusted proxy; hop 0 is the peer. */
export type IsTrustedProxy = (address: string, hop: number) => boolean;

/**
 * The proxies whose X-Forwarded-For is trusted. The header of others is ignored, or every request could name another caller;
 * `onIgnored` receives the peer that sent it.
 *
 * @param networks - addresses, or networks in CIDR notation (TRUST_PROXY)
 */
export function trustedProxies(
  networks: readonly string[],
  onIgnored: (peer: string) => void,
): IsTrustedProxy {
  const trusted = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    if (prefix === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (text, hop) => {
    const address = plainAddress(text);
    const isTrusted = address !== null && trusted.check(address, familyOf(address));
    if (hop === 0 && !isTrusted) onIgnored(text);
    return isTrusted;
  };
}

/** The peer, then the addresses that trusted proxies forwarded; the first that is no trusted proxy ends it. */
export function addressChain(
  {
    headers,
    socket,
  }: Pick<IncomingMessage, 'headers'> & { readonly socket: { readonly remoteAddress?: string | undefined } },
  isTrusted: IsTrustedProxy,
): string[] {
  const chain = [socket.remoteAddress ?? ''];
  const header = headers['x-forwarded-for'];
  if (header === undefined) return chain;
  for (const next of String(header).split(',').toReversed()) {
    if (!isTrusted(chain.at(-1) ?? '', chain.length - 1)) break;
    chain.push(next.trim());
  }
  return chain;
}

/**
 * The caller for rate limits: an IPv4 address, or an IPv6 network (/64), which is what a household or a server usually has.
 *
 * @param chain - as from `addressChain`; anything that is no address ends it
 */
export function callerOf(chain: readonly string[]): string {
  const address = chain.map((text) => plainAddress(text)).findLast((text) => text !== null);
  if (address === undefined || isIP(address) !== 6) return `ip:${address ?? ''}`;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `ip:${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** Without port, brackets and zone; IPv4-mapped IPv6 as IPv4; null: it is not an address. */
function plainAddress(text: string): string | null {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '');
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
