import { BlockList, isIP } from 'node:net';
import { parseNetwork } from '../settings/parse-network.ts';

/** Says who is at the other end (decision 18). */
export interface ClientAddresses {
  /**
   * The client's address: the peer, or where the peer is a trusted proxy the last address in X-Forwarded-For that
   * no trusted proxy wrote for another one. A header from anyone else is ignored, and `onIgnored` told.
   */
  find(peer: string, forwardedFor: string | undefined): string;
}

/** @param networks trusted proxies (TRUST_PROXY); faulty entries are the configuration's to refuse. */
export function createClientAddresses(
  networks: readonly string[],
  onIgnored: (peer: string) => void,
): ClientAddresses {
  const trusted = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network !== null) trusted.addSubnet(network.address, network.prefix, network.family);
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

  return {
    find(peer, forwardedFor) {
      let client = plainAddress(peer) ?? peer;
      if (forwardedFor === undefined) return client;
      if (isIP(client) === 0 || !isTrusted(client)) {
        onIgnored(client);
        return client;
      }
      for (const entry of forwardedFor.split(',').toReversed()) {
        const address = plainAddress(entry.trim());
        // what a trusted proxy could not have meant as an address is not followed any further
        if (address === null) return client;
        client = address;
        if (!isTrusted(client)) return client;
      }
      return client;
    },
  };
}

/** Rate limits count by this: IPv4 by address, IPv6 by /64, since a household or a server holds one of those. */
export function callerOfAddress(address: string): string {
  const plain = plainAddress(address) ?? address;
  if (isIP(plain) !== 6) return `ip:${plain}`;
  return `ip:${expandIPv6(plain).slice(0, 4).join(':')}::/64`;
}

/** Without port, brackets, zone; IPv4-mapped IPv6 as IPv4; null where it is no address. */
function plainAddress(text: string): string | null {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withPort = /^([\d.]+):\d+$/.exec(text)?.[1];
  const address = (bracketed ?? withPort ?? text).replace(/%.*$/, '');
  if (isIP(address) === 0) return null;
  if (isIP(address) === 4) return address;
  const groups = expandIPv6(address);
  const isMapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff';
  if (!isMapped) return address.toLowerCase();
  const [high, low] = [Number.parseInt(groups[6] ?? '0', 16), Number.parseInt(groups[7] ?? '0', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Eight groups in lower-case hex without leading zeros. */
function expandIPv6(address: string): string[] {
  // the URL parser writes every spelling, dotted quads too, in one form (RFC 5952)
  const canonical = new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}
