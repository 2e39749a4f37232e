import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { isPrivateName, isPublicAddress, literalAddress } from './address.ts';
import { type ConnectTo, findConnectTo } from './connect-to.ts';
import { type Dialer, dial, dialTcp, type OnDial, secure, type Target } from './dial.ts';
import { exchange } from './exchange.ts';
import { FetchFailure } from './failure.ts';
import { followRedirects, type Progress, type Redirect } from './redirects.ts';
import { createSystemResolver, type Resolver } from './resolver.ts';
import { type FetchResult, readPageBody } from './result.ts';

/** Bounds of one fetch (decision 17). */
export interface FetchLimits {
  /** Milliseconds for everything together: lookups, connections, redirects and the body. */
  readonly totalTime: number;
  /** Milliseconds that one address of a host may take while another is left. */
  readonly attemptTime: number;
  /** Bytes of the page, decoded; also of what is read from the wire. */
  readonly bodySize: number;
  /** Bytes of one answer's header section. */
  readonly headerSize: number;
  readonly redirects: number;
}

export const DEFAULT_FETCH_LIMITS: FetchLimits = {
  totalTime: 10_000,
  attemptTime: 3_000,
  bodySize: 5_000_000,
  headerSize: 65_536,
  redirects: 5,
};

export interface PageFetcherOptions {
  /** Who asks, truthfully, with an address to read more: `Touchstone/1.0 (+https://…)`. */
  readonly userAgent: string;
  /** PEM certificates trusted beside the system's own (FETCH_CA_FILE). */
  readonly ca?: string;
  /** Hosts dialled elsewhere, exempt from the private-address and the port rule (FETCH_CONNECT_TO). */
  readonly connectTo?: readonly ConnectTo[];
  /** 80 and 443 unless told (FETCH_PORTS). */
  readonly ports?: readonly number[];
  readonly limits?: Partial<FetchLimits>;
  /** `html` unless told; `any`: whatever type the answer has, as for a challenge file. */
  readonly content?: 'html' | 'any';
  readonly resolver?: Resolver;
  readonly dialer?: Dialer;
  readonly onDial?: OnDial;
}

/** Fetches pages of the public internet, and of nowhere else. */
export interface PageFetcher {
  /**
   * Fetches one page. What the page or its host does wrong is data.
   *
   * @throws FetchFault for trouble on our own side; the reason of `signal` when the caller gives up
   */
  fetch(url: string, options?: { readonly signal?: AbortSignal }): Promise<FetchResult>;
}

/** What every hop of every fetch shares. */
interface Settings {
  readonly headers: Readonly<Record<string, string>>;
  readonly connectTo: readonly ConnectTo[];
  readonly ports: ReadonlySet<number>;
  readonly limits: FetchLimits;
  readonly content: 'html' | 'any';
  readonly resolver: Resolver;
  readonly dialer: Dialer;
  readonly onDial?: OnDial;
  readonly secureContext: SecureContext;
}

/**
 * A fetcher that guards every hop against being sent into a private network: the URL, the literal, every
 * address that the name leads to, and the address that the socket is connected to in the end.
 *
 * @example
 * const fetcher = createPageFetcher({ userAgent: 'Touchstone/1.0 (+https://certs.example)' });
 * const result = await fetcher.fetch('https://shop.example/products/1');
 */
export function createPageFetcher(options: PageFetcherOptions): PageFetcher {
  const settings = settingsFrom(options);
  return {
    async fetch(url, { signal } = {}) {
      const deadline = AbortSignal.timeout(settings.limits.totalTime);
      const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
      return await followRedirects(url, settings.limits.redirects, async (hop, progress) => {
        try {
          return await oneHop(hop, settings, either, progress);
        } catch (error) {
          signal?.throwIfAborted();
          // whatever broke because time was up, time is why
          if (deadline.aborted) throw new FetchFailure('timed_out', `while ${progress.doing}`);
          throw error;
        }
      });
    },
  };
}

async function oneHop(
  url: URL,
  settings: Settings,
  signal: AbortSignal,
  progress: Progress,
): Promise<FetchResult | Redirect> {
  signal.throwIfAborted();
  progress.doing = 'looking up the host';
  const target = await targetOf(url, settings, signal);
  progress.doing = 'connecting';
  const { dialer, onDial, limits } = settings;
  const socket = await dial(target, {
    dialer,
    ...(onDial === undefined ? {} : { onDial }),
    signal,
    attemptTimeout: limits.attemptTime,
  });
  try {
    const isLiteral = literalAddress(url.hostname) !== null;
    const stream =
      url.protocol === 'https:'
        ? await secure(socket, bareHost(url), isLiteral, settings.secureContext, signal)
        : socket;
    progress.doing = 'waiting for the answer';
    const { headers } = settings;
    const answer = await exchange(stream, url, { headers, maxHeaderSize: limits.headerSize, signal });
    progress.doing = 'reading the page';
    return await readPageBody(
      answer,
      url.href,
      { limit: limits.bodySize, content: settings.content },
      signal,
    );
  } finally {
    socket.destroy();
  }
}

/** The addresses that one hop may be dialled at, all of them checked. */
async function targetOf(url: URL, settings: Settings, signal: AbortSignal): Promise<Target> {
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

function bareHost(url: URL): string {
  return literalAddress(url.hostname) ?? url.hostname;
}

function settingsFrom(options: PageFetcherOptions): Settings {
  const { userAgent, ca, onDial } = options;
  return {
    headers: {
      'User-Agent': userAgent,
      Accept: options.content === 'any' ? '*/*' : 'text/html,application/xhtml+xml;q=0.9',
      'Accept-Encoding': 'gzip, deflate, br, zstd',
    },
    connectTo: options.connectTo ?? [],
    ports: new Set(options.ports ?? [80, 443]),
    limits: { ...DEFAULT_FETCH_LIMITS, ...options.limits },
    content: options.content ?? 'html',
    resolver: options.resolver ?? createSystemResolver(),
    dialer: options.dialer ?? dialTcp,
    ...(onDial === undefined ? {} : { onDial }),
    secureContext: createSecureContext(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }),
  };
}
