import * as tls from 'node:tls';
import { type TargetSettings, targetOf } from './address.ts';
import type { ConnectTo } from './connect-to.ts';
import { type Credential, CredentialRefused, isConfidential } from './credential.ts';
import { ACCEPTED_CODINGS } from './decode.ts';
import { type Dialer, dial, dialTcp, type OnDial, secure, type TakePermit } from './dial.ts';
import { type Answer, exchange, type RequestContent } from './exchange.ts';
import { type FailedFetch, FetchFailure, FetchFault } from './failure.ts';
import { followRedirects, type Hop, redirectIn } from './redirects.ts';
import { type Resolver, resolveHost } from './resolver.ts';
import { createTimeLimit, type MinimumRate, watchRate } from './time-limits.ts';

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
  readonly ca?: string | undefined;
  /** Connects to the given addresses for these hosts, without the rules on private addresses and ports (FETCH_CONNECT_TO). */
  readonly connectTo?: readonly ConnectTo[];
  /** Default: 80 and 443 (FETCH_PORTS). */
  readonly ports?: readonly number[];
  readonly limits?: Partial<FetchLimits>;
  readonly resolver?: Resolver | undefined;
  readonly dialer?: Dialer | undefined;
  readonly onDial?: OnDial | undefined;
  readonly sign?: SignRequest | undefined;
}

/**
 * Creates the headers that identify the client, for each request of each hop: a signature is valid for one host only
 * (RFC 9421). Not called for hops that others could read on the way: those requests are not signed. If it throws, the fetch
 * ends with a `FetchFault`.
 */
export type SignRequest = (url: URL) => Promise<Readonly<Record<string, string>>>;

/** The options of one fetch. */
export interface FetchOptions {
  readonly signal?: AbortSignal;
  /** Whether a fetched page has its headers. Default: false. */
  readonly keepHeaders?: boolean;
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
export interface FetchSettings extends FetchLimits, TargetSettings, RequestContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly dialer: Dialer;
  readonly onDial?: OnDial | undefined;
  readonly sign?: SignRequest | undefined;
  readonly secureContext: tls.SecureContext;
  /** Absent: redirects are followed. */
  readonly returnsRedirects?: boolean;
}

/** Converts an answer into the result of the fetch. */
type ReadAnswer<T> = (answer: Answer, finalUrl: string, signal: AbortSignal) => Promise<T>;

/**
 * Fetches one address, with every hop guarded against access to private networks (SSRF) and within the limits: the URL, an
 * IP literal, every address of a name, and the address to which the socket is finally connected.
 */
export async function fetchGuarded<T>(
  url: string,
  settings: FetchSettings,
  { signal, takePermit, credential }: FetchOptions = {},
  read: ReadAnswer<T>,
): Promise<T | FailedFetch> {
  const time = createTimeLimit(settings.totalTime);
  const progress: Progress = { doing: 'starting' };
  const options: HopOptions<T> = {
    ...settings,
    progress,
    read,
    credential,
    signal: signal === undefined ? time.signal : AbortSignal.any([signal, time.signal]),
    // waiting for a permit does not count, since the host does not cause it
    takePermit: takePermit && ((network, waiting) => time.hold(() => takePermit(network, waiting))),
  };
  try {
    return await followRedirects(url, settings.redirects, async (hop, finalUrl) => {
      try {
        return await fetchHop(hop, finalUrl, options);
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

/** The current phase of a hop, reported if the time runs out. */
interface Progress {
  doing: string;
}

interface HopOptions<T> extends FetchSettings {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly read: ReadAnswer<T>;
  readonly takePermit: TakePermit | undefined;
  readonly credential: Credential | undefined;
}

async function fetchHop<T>(url: URL, finalUrl: string, options: HopOptions<T>): Promise<Hop<T>> {
  const { progress, signal, credential, secureContext } = options;
  signal.throwIfAborted();
  progress.doing = 'resolving the host';
  const target = await targetOf(url, options, signal);
  // before the connection; it leads to one of these addresses, or fails
  const authorization = authorizationFor(url, credential, target.addresses);
  progress.doing = 'connecting';
  const socket = await dial(target, options);
  try {
    const isTls = url.protocol === 'https:';
    const stream = isTls ? await secure(socket, target.host, secureContext, signal) : socket;
    const rate = watchRate(socket, options);
    const within = AbortSignal.any([signal, rate.signal]);
    try {
      progress.doing = 'waiting for the answer';
      const signature = isConfidential(url, target.addresses) ? await signatureOf(url, options.sign) : {};
      const headers = { ...options.headers, ...signature, ...authorization };
      const answer = await exchange(stream, url, { ...options, headers, signal: within });
      progress.doing = 'reading the page';
      const location = options.returnsRedirects ? undefined : redirectIn(answer);
      if (location === undefined) return { result: await options.read(answer, finalUrl, within) };
      if (credential === undefined) return { location };
      throw new FetchFailure('redirect_invalid', `${NOT_ALONG} ${originOf(location, url)}`);
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

function authorizationFor(url: URL, credential: Credential | undefined, addresses: readonly string[]) {
  try {
    return credential?.headersFor(url, addresses);
  } catch (error) {
    if (!(error instanceof CredentialRefused) || error.code === 'other_origin') throw error;
    throw new FetchFailure('scheme_blocked', error.message);
  }
}

async function signatureOf(url: URL, sign: SignRequest | undefined) {
  try {
    return await sign?.(url);
  } catch (cause) {
    throw new FetchFault('the request cannot be signed', { cause });
  }
}

/** The certificates that Node trusts; before 22.15 only the bundled ones are available. */
function usualAuthorities(): readonly string[] {
  const { getCACertificates }: Partial<typeof tls> = tls;
  return getCACertificates?.('default') ?? tls.rootCertificates;
}

/** @param accept - media types for the `Accept` header */
export function settingsFrom(options: FetcherOptions, accept: string): FetchSettings {
  const { userAgent, ca, connectTo = [], ports = [80, 443], limits, onDial, sign } = options;
  return {
    ...DEFAULT_FETCH_LIMITS,
    ...limits,
    headers: { 'User-Agent': userAgent, Accept: accept, 'Accept-Encoding': ACCEPTED_CODINGS },
    connectTo,
    ports: new Set(ports),
    resolver: options.resolver ?? { resolve: resolveHost },
    dialer: options.dialer ?? dialTcp,
    onDial,
    sign,
    secureContext: tls.createSecureContext(ca === undefined ? {} : { ca: [...usualAuthorities(), ca] }),
  };
}
