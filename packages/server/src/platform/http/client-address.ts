import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Fastify's `trustProxy`: the proxies whose X-Forwarded-For is trusted. The header of others is ignored, or every request could
 * name another caller; `onIgnored` receives the peer that sent it.
 *
 * @param networks - addresses, or networks in CIDR notation (TRUST_PROXY)
 */
export function trustedProxies(
  networks: readonly string[],
  onIgnored: (peer: string) => void,
): (address: string, hop: number) => boolean {
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

/**
 * The caller for rate limits: an IPv4 address, or an IPv6 network (/64), which is what a household or a server usually has.
 *
 * @param chain - fastify's `request.ips`: the peer, then the addresses from trusted proxies; anything else ends it
 */
export function callerOf(chain: readonly (string | undefined)[]): string {
  const address = chain.map((text) => plainAddress(text ?? '')).findLast((text) => text !== null);
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
