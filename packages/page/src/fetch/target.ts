import { isPrivateName, isPublicAddress, literalAddress } from './address.ts';
import { type ConnectTo, findConnectTo } from './connect-to.ts';
import type { Target } from './dial.ts';
import { FetchFailure } from './failure.ts';
import type { Resolver } from './resolver.ts';

/** What decides where a hop may go. */
export interface TargetSettings {
  readonly connectTo: readonly ConnectTo[];
  readonly ports: ReadonlySet<number>;
  readonly resolver: Resolver;
}

/** The addresses that one hop may be dialled at, all of them checked. */
export async function targetOf(url: URL, settings: TargetSettings, signal: AbortSignal): Promise<Target> {
  const host = bareHost(url);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const mapped = findConnectTo(settings.connectTo, host, port);
  if (mapped !== undefined) {
    return { host, addresses: [mapped.address], port: mapped.toPort, exempt: true };
  }
  if (!settings.ports.has(port)) throw new FetchFailure('port_blocked', `port ${port}`);
  const addresses = await addressesOf(url, host, settings.resolver, signal);
  // one private address among public ones is refused too: the name is not to be trusted.
  // The address itself is not told: it may come from a private zone that only our resolver sees.
  if (!addresses.every(isPublicAddress)) throw new FetchFailure('address_blocked');
  return { host, addresses: [...new Set(addresses)], port, exempt: false };
}

async function addressesOf(
  url: URL,
  host: string,
  resolver: Resolver,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const literal = literalAddress(url.hostname);
  if (literal !== null) return [literal];
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

export function bareHost(url: URL): string {
  return literalAddress(url.hostname) ?? url.hostname;
}
