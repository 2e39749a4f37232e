import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type ConnectTo, findConnectTo } from './connect-to.ts';
import { FetchFailure } from './failure.ts';
import type { Resolver } from './resolver.ts';

/** The checked addresses to which one hop may connect, in the order of attempts. */
export interface Target {
  readonly host: string;
  readonly addresses: readonly string[];
  readonly port: number;
  /** Set for a host of FETCH_CONNECT_TO: its address may be private. */
  readonly exempt: boolean;
}

/** The settings that determine the permitted addresses. */
export interface TargetSettings {
  readonly connectTo: readonly ConnectTo[];
  readonly ports: ReadonlySet<number>;
  readonly resolver: Resolver;
}

/** Resolves and checks the addresses for one hop. */
export async function targetOf(url: URL, settings: TargetSettings, signal: AbortSignal): Promise<Target> {
  const host = literalAddress(url.hostname) ?? url.hostname;
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const mapped = findConnectTo(settings.connectTo, host, port);
  if (mapped !== undefined) {
    return { host, addresses: [mapped.address], port: mapped.toPort, exempt: true };
  }
  if (!settings.ports.has(port)) throw new FetchFailure('port_blocked', `port ${port}`);
  const addresses = isIP(host) === 0 ? await addressesOf(host, settings.resolver, signal) : [host];
  // a single private address among public ones is refused, too: the name cannot be trusted.
  // The address is not reported: it may come from a private zone of our resolver.
  if (!addresses.every(isPublicAddress)) throw new FetchFailure('address_blocked');
  return { host, addresses: [...new Set(addresses)], port, exempt: false };
}

async function addressesOf(
  host: string,
  resolver: Resolver,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (isPrivateName(host)) throw new FetchFailure('address_blocked');
  // RFC 6761 section 6.4: known not to exist
  if (host.endsWith('.invalid')) throw new FetchFailure('host_unknown');
  const resolution = await resolver.resolve(host, signal);
  if (resolution.kind === 'broken') throw new FetchFailure('dns_failed', resolution.detail);
  if (resolution.kind === 'unknown' || resolution.addresses.length === 0) {
    throw new FetchFailure('host_unknown');
  }
  return resolution.addresses;
}

/**
 * Blocks that are not part of the public internet (IANA special-purpose address registries, RFC 6890), in addition to
 * the ranges of the library, so that a change of the library cannot open one of them.
 */
const SPECIAL_BLOCKS = [
  // IPv4
  '0.0.0.0/8', // this network (RFC 791)
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // carrier-grade NAT (RFC 6598)
  '127.0.0.0/8', // loopback (RFC 1122)
  '169.254.0.0/16', // link-local, cloud metadata (RFC 3927)
  '172.16.0.0/12', // private (RFC 1918)
  '192.0.0.0/24', // protocol assignments (RFC 6890)
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.31.196.0/24', // AS112 (RFC 7535)
  '192.52.193.0/24', // AMT (RFC 7450)
  '192.88.99.0/24', // 6to4 relay anycast (RFC 7526)
  '192.168.0.0/16', // private (RFC 1918)
  '192.175.48.0/24', // AS112 (RFC 7534)
  '198.18.0.0/15', // benchmarking (RFC 2544)
  '198.51.100.0/24', // documentation (RFC 5737)
  '203.0.113.0/24', // documentation (RFC 5737)
  '224.0.0.0/4', // multicast (RFC 5771)
  '240.0.0.0/4', // reserved and broadcast (RFC 1112, RFC 919)
  // IPv6: only 2000::/3 is allocated as global unicast, so these are the exceptions in it
  '2001::/23', // protocol assignments, Teredo among them (RFC 2928, RFC 4380)
  '2001:db8::/32', // documentation (RFC 3849)
  '2002::/16', // 6to4: carries an IPv4 address (RFC 3056)
  '2620:4f:8000::/48', // AS112 (RFC 7534)
  '3ffe::/16', // former 6bone, returned (RFC 3701)
  '3fff::/20', // documentation (RFC 9637)
].map((block) => ipaddr.parseCIDR(block));

/** The only block that IANA allocates for global unicast (RFC 4291, section 2.4). */
const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR('2000::/3');

/**
 * Whether packets to this address can only reach the public internet.
 *
 * @param address - an IPv4 address in dotted decimal, or an IPv6 address without brackets. Anything else,
 *   a zone index or a short or octal form included, is not public.
 * @example
 * ```ts
 * import { isPublicAddress } from '@touchstone/fetch';
 *
 * isPublicAddress('10.0.0.1'); // false
 * ```
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_UNICAST_V6)) return false;
  return !SPECIAL_BLOCKS.some((block) => block[0].kind() === parsed.kind() && parsed.match(block));
}

/** Whether two texts are the same address; an IPv4-mapped IPv6 address is not its IPv4 address. */
export function sameAddress(a: string, b: string): boolean {
  if (isIP(a) === 0 || isIP(b) === 0) return false;
  return ipaddr.parse(a).toNormalizedString() === ipaddr.parse(b).toNormalizedString();
}

/** Prefix lengths of the smallest networks that are routed separately, and so usually have different owners. */
const NETWORK_BITS = { ipv4: 24, ipv6: 48 } as const;

/**
 * The network of an address, in CIDR notation: an IPv4 /24, an IPv6 /48. Its addresses usually have the same
 * owner.
 *
 * @throws Error for text that is not an address
 * @example
 * ```ts
 * import { networkOf } from '@touchstone/fetch';
 *
 * networkOf('93.184.215.14'); // '93.184.215.0/24'
 * ```
 */
export function networkOf(address: string): string {
  const parsed = ipaddr.process(address);
  const bits = NETWORK_BITS[parsed.kind()];
  const bytes = parsed.toByteArray().map((byte, index) => (index < bits / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}

/**
 * The address in a URL's host, when it is a literal; `null` for a name. WHATWG parsing has already turned
 * octal, hex, short and integer forms into dotted decimal.
 */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

/** Names that are never part of the public internet, whatever a resolver returns. */
const PRIVATE_SUFFIX = /(^|\.)(localhost|local|localdomain|internal|home\.arpa|onion|alt)$/;

/**
 * Whether a name is reserved for private or link-local use (RFC 6761, 6762, 7686, 8375, 9476, and
 * `.internal`), or has no dot at all. Such names are refused before any resolver is asked.
 */
export function isPrivateName(hostname: string): boolean {
  return !hostname.includes('.') || PRIVATE_SUFFIX.test(hostname);
}
