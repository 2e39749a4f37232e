import * as tls from 'node:tls';
import { bareHost, literalAddress, targetOf } from './address.ts';
import type { ConnectTo } from './connect-to.ts';
import { type Credential, CredentialRefused, isConfidential } from './credential.ts';
import { ACCEPTED_CODINGS } from './decode.ts';
import { type Dialer, dial, dialTcp, type OnDial, secure, type TakePermit } from './dial.ts';
import { type Answer, exchange, type RequestContent } from './exchange.ts';
import { FetchFailure, FetchFault } from './failure.ts';
import { type Ended, followRedirects, isRedirect, type Progress } from './redirects.ts';
import { createSystemResolver, type Resolver } from './resolver.ts';
import { type FetchResult, type Redirect, readPageBody } from './result.ts';
import { createTimeLimit, type MinimumRate, type TimeLimit, watchRate } from './time-limits.ts';

/** Limits of one fetch: a page, its host and its name servers may be hostile. */
export interface FetchLimits extends MinimumRate {
  /** Milliseconds in total: for lookups, connections, redirects and the body, but not for waiting for a permit. */
  readonly totalTime: number;
  /** Milliseconds for one address of a host if there is another one to try. */
  readonly attemptTime: number;
  /** Bytes of the page, both decoded and as read from the network. */
  readonly bodySize: number;
  /** Bytes of one answer's header section. */
  readonly headerSize: number;
  readonly redirects: number;
}

/** The default limits of a fetch. */
export const DEFAULT_FETCH_LIMITS: FetchLimits = {
  totalTime: 10_000,
  attemptTime: 3_000,
  graceTime: 5_000,
  minimumRate: 1_000,
  bodySize: 5_000_000,
  headerSize: 65_536,
  redirects: 5,
};

/** The options of all fetchers. */
export interface FetcherOptions {
  /** The `User-Agent`, with an address for more information: `Touchstone/1.0 (+https://…)`. */
  readonly userAgent: string;
  /** PEM certificates trusted in addition to those of the system (FETCH_CA_FILE). */
  readonly ca?: string;
  /** Connects to the given addresses for these hosts, without the rules on private addresses and ports (FETCH_CONNECT_TO). */
  readonly connectTo?: readonly ConnectTo[];
  /** Default: 80 and 443 (FETCH_PORTS). */
  readonly ports?: readonly number[];
  readonly limits?: Partial<FetchLimits>;
  readonly resolver?: Resolver;
  readonly dialer?: Dialer;
  readonly onDial?: OnDial;
  readonly sign?: SignRequest;
}

/**
 * Creates the headers that identify the client, for each request of each hop: a signature is valid for one host only
 * (RFC 9421). Not called for hops that others could read on the way: those requests are not signed. If it throws, the fetch
 * ends with a `FetchFault`.
 */
export type SignRequest = (url: URL) => Promise<Readonly<Record<string, string>>>;

/** The options of all fetchers, with the accepted types. */
export interface PageFetcherOptions extends FetcherOptions {
  /** Default: `html`; `any` accepts every media type, for example of a challenge file. */
  readonly content?: 'html' | 'any';
}

/** Fetches pages of the public internet only. */
export interface PageFetcher {
  /**
   * Fetches one page. Failures of the page or its host are data.
   *
   * @throws FetchFault for a local failure; the abort reason of `signal`; errors of `takePermit`
   */
  fetch(url: string, options?: FetchOptions): Promise<FetchResult>;
}

/** The options of one fetch. */
export interface FetchOptions {
  readonly signal?: AbortSignal;
  /** Called before every connection, to limit the concurrent connections into one network. */
  readonly takePermit?: TakePermit;
  /**
   * Sent with the request. It fails if the address is not confidential, and at a redirect.
   *
   * @throws CredentialRefused if the address is of another origin
   */
  readonly credential?: Credential;
}

/** The settings shared by all hops of all fetches. */
export interface FetchSettings extends RequestContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly connectTo: readonly ConnectTo[];
  readonly ports: ReadonlySet<number>;
  readonly limits: FetchLimits;
  readonly resolver: Resolver;
  readonly dialer: Dialer;
  readonly onDial?: OnDial;
  readonly sign?: SignRequest;
  readonly secureContext: tls.SecureContext;
}

/**
 * Creates a fetcher that guards every hop against access to private networks (SSRF): the URL, an IP literal, every
 * address of a name, and the address to which the socket is finally connected.
 *
 * @example
 * ```ts
 * import { createPageFetcher } from '@touchstone/fetch';
 *
 * const fetcher = createPageFetcher({ userAgent: 'example/1.0 (+https://certificates.example)' });
 * const result = await fetcher.fetch('http://127.0.0.1/products/cup');
 * result.kind === 'failed' && result.code; // 'address_blocked'
 * ```
 */
export function createPageFetcher(options: PageFetcherOptions): PageFetcher {
  const content = options.content ?? 'html';
  const accept = content === 'any' ? '*/*' : 'text/html,application/xhtml+xml;q=0.9';
  const settings = settingsFrom(options, accept);
  const wanted = { limit: settings.limits.bodySize, content };
  return {
    fetch: (url, fetching = {}) =>
      fetchGuarded(url, settings, fetching, (answer, finalUrl, within) =>
        readPageBody(answer, finalUrl, wanted, within),
      ),
  };
}

/** Converts the answer of one hop into a result. */
type ReadAnswer<T> = (answer: Answer, finalUrl: string, signal: AbortSignal) => Promise<T | Redirect>;

/** Fetches one address, with every hop guarded and within the limits. */
export async function fetchGuarded<T extends Ended>(
  url: string,
  settings: FetchSettings,
  { signal, takePermit, credential }: FetchOptions,
  read: ReadAnswer<T>,
) {
  const time = createTimeLimit(settings.limits.totalTime);
  const either = signal === undefined ? time.signal : AbortSignal.any([signal, time.signal]);
  const untimed = takePermit === undefined ? {} : { takePermit: untimedPermit(takePermit, time) };
  const authorized = credential === undefined ? {} : { credential };
  const hopOptions = { settings, signal: either, read, ...untimed, ...authorized };
  try {
    return await followRedirects(url, settings.limits.redirects, async (hop, progress) => {
      try {
        return await oneHop(hop, { ...hopOptions, progress });
      } catch (error) {
        signal?.throwIfAborted();
        // errors caused by the time limit are reported as such
        if (time.signal.aborted) throw new FetchFailure('timed_out', `while ${progress.doing}`);
        throw error;
      }
    });
  } finally {
    time.stop();
  }
}

/** Excludes the time spent waiting for a permit from the time limit, since the host does not cause it. */
function untimedPermit(takePermit: TakePermit, time: TimeLimit): TakePermit {
  return (network, signal) => time.hold(() => takePermit(network, signal));
}

interface HopOptions<T extends Ended> {
  readonly settings: FetchSettings;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly read: ReadAnswer<T>;
  readonly takePermit?: TakePermit;
  readonly credential?: Credential;
}

async function oneHop<T extends Ended>(
  url: URL,
  { settings, signal, progress, read, takePermit, credential }: HopOptions<T>,
): Promise<T | Redirect> {
  signal.throwIfAborted();
  progress.doing = 'resolving the host';
  const target = await targetOf(url, settings, signal);
  // before the connection; it leads to one of these addresses, or fails
  const authorization = credential === undefined ? {} : authorizationFor(url, credential, target.addresses);
  const isSigned = isConfidential(url, target.addresses);
  progress.doing = 'connecting';
  const { dialer, onDial, limits } = settings;
  const socket = await dial(target, {
    dialer,
    ...(onDial === undefined ? {} : { onDial }),
    ...(takePermit === undefined ? {} : { takePermit }),
    signal,
    attemptTimeout: limits.attemptTime,
  });
  try {
    const isLiteral = literalAddress(url.hostname) !== null;
    const stream =
      url.protocol === 'https:'
        ? await secure(socket, bareHost(url), isLiteral, settings.secureContext, signal)
        : socket;
    const rate = watchRate(socket, limits);
    const within = AbortSignal.any([signal, rate.signal]);
    try {
      progress.doing = 'waiting for the answer';
      const { method, body } = settings;
      const signature = isSigned ? await signatureOf(url, settings) : {};
      const headers = { ...settings.headers, ...signature, ...authorization };
      const answer = await exchange(stream, url, {
        headers,
        ...(method === undefined ? {} : { method }),
        ...(body === undefined ? {} : { body }),
        maxHeaderSize: limits.headerSize,
        signal: within,
      });
      progress.doing = 'reading the page';
      const result = await read(answer, url.href, within);
      if (credential !== undefined && isRedirect(result)) {
        throw new FetchFailure('redirect_invalid', `${NOT_ALONG} ${originOf(result.location, url)}`);
      }
      return result;
    } catch (error) {
      rate.signal.throwIfAborted();
      throw error;
    } finally {
      rate.stop();
    }
  } finally {
    socket.destroy();
  }
}

const NOT_ALONG = 'a request with a credential follows no redirect; this one leads to';

function originOf(location: string, base: URL): string {
  return URL.parse(location, base)?.origin ?? location;
}

function authorizationFor(url: URL, credential: Credential, addresses: readonly string[]) {
  try {
    return credential.headersFor(url, addresses);
  } catch (error) {
    if (!(error instanceof CredentialRefused) || error.code === 'other_origin') throw error;
    throw new FetchFailure('scheme_blocked', error.message);
  }
}

async function signatureOf(url: URL, { sign }: FetchSettings): Promise<Readonly<Record<string, string>>> {
  if (sign === undefined) return {};
  try {
    return await sign(url);
  } catch (cause) {
    throw new FetchFault('the request cannot be signed', { cause });
  }
}

/** The certificates that Node trusts; before 22.15 only the bundled ones are available. */
function usualAuthorities(): readonly string[] {
  const { getCACertificates }: Partial<typeof tls> = tls;
  return getCACertificates?.('default') ?? tls.rootCertificates;
}

export function settingsFrom(options: FetcherOptions, accept: string): FetchSettings {
  const { userAgent, ca, onDial, sign } = options;
  return {
    headers: {
      'User-Agent': userAgent,
      Accept: accept,
      'Accept-Encoding': ACCEPTED_CODINGS,
    },
    connectTo: options.connectTo ?? [],
    ports: new Set(options.ports ?? [80, 443]),
    limits: { ...DEFAULT_FETCH_LIMITS, ...options.limits },
    resolver: options.resolver ?? createSystemResolver(),
    dialer: options.dialer ?? dialTcp,
    ...(onDial === undefined ? {} : { onDial }),
    ...(sign === undefined ? {} : { sign }),
    secureContext: tls.createSecureContext(ca === undefined ? {} : { ca: [...usualAuthorities(), ca] }),
  };
}
