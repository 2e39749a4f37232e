import { comparePageUrls, isUuid } from '@touchstone/certificate/binding';
import type { StatusLists } from '@touchstone/certificate/withdrawal';
import { type CachedAnswer, type CertificateCache, putCached, readCached, runtimeCache } from './cache.ts';
import { certificateAddress, requestCertificate, type ServedCertificate, ServiceFault } from './service.ts';

/** The service that issues the certificates, and how they are cached. */
export interface CertificatesOptions {
  /** Base address of the service, such as `https://certificates.example`. */
  readonly service: string;
  /** Where certificates are cached; default: the runtime's cache, else memory. */
  readonly cache?: CertificateCache | undefined;
  /** Seconds for which a cached certificate is used without revalidation; default: 300. */
  readonly freshFor?: number | undefined;
  /**
   * Seconds after these for which it is used while it is revalidated; default: 600. After that it is revalidated first. While the service
   * answers in time, no page contains a certificate for longer than both together after its withdrawal: 15 minutes.
   */
  readonly staleFor?: number | undefined;
  /** Seconds for which it is cached that a page has no certificate; default: a minute. */
  readonly noneFor?: number | undefined;
  /** Milliseconds that a page waits for the service at most; default: 250. */
  readonly patience?: number | undefined;
  /** Milliseconds after which a request to the service is aborted, even if no page waits for it; default: 10,000. */
  readonly timeout?: number | undefined;
  /**
   * Status lists of the service, by `createStatusLists` of `@touchstone/certificate/withdrawal`: what they call withdrawn or suspended is
   * put into no page, however long ago it was cached. What they do not know is. Default: none; pages follow the service alone.
   */
  readonly statusLists?: StatusLists | undefined;
  /** Sends requests to the service; default: the runtime's `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** Which certificate is wanted. */
export interface CertificateQuery {
  /** Address of the page that shows the certificate, as visitors see it. */
  readonly pageUrl: string;
  /** The service's id of the product; if absent, the service finds the product by the address of the page. */
  readonly productId?: string | undefined;
  /** Receives work that continues after the response: `waitUntil` of a worker's context. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
  /** `kept`: from the cache only; `wait` (default): waits for the service if necessary. */
  readonly effort?: 'kept' | 'wait' | undefined;
}

/** Certificates of a service, for pages. It never throws: in case of any error there is no certificate. */
export interface Certificates {
  /** The certificate for a page, unexpired and signed for this page; `null`: there is none. */
  find(query: CertificateQuery): Promise<ServedCertificate | null>;
}

export const DEFAULTS = { freshFor: 300, staleFor: 600, noneFor: 60, patience: 250, timeout: 10_000 };
/** Milliseconds that a certificate must remain valid when it is inserted into a page. */
const MIN_VALIDITY = 300_000;
/** Milliseconds without requests after a failure, and without waiting for the service after a late answer. */
const PAUSE = 10_000;
/** Maximum number of certificates with their own pause. */
const MAX_PAUSED = 1_000;

/**
 * Caches certificates, revalidates them by ETag, and serves stale ones while they are revalidated.
 *
 * @example
 * ```ts
 * import { createCertificates } from '@touchstone/edge';
 *
 * const fetch = async () => new Response('', { status: 503 });
 * const certificates = createCertificates({ service: 'https://certificates.example', fetch });
 * await certificates.find({ pageUrl: 'https://shop.example/products/cup' }); // null
 * ```
 */
export function createCertificates(options: CertificatesOptions): Certificates {
  const { service, cache = runtimeCache(), now = Date.now, fetch: ask = askByFetch } = options;
  const { patience = DEFAULTS.patience, timeout = DEFAULTS.timeout } = options;
  const freshFor = (options.freshFor ?? DEFAULTS.freshFor) * 1000;
  const staleFor = (options.staleFor ?? DEFAULTS.staleFor) * 1000;
  const noneFor = (options.noneFor ?? DEFAULTS.noneFor) * 1000;
  /** Milliseconds for which it is true. */
  const validFor = ({ answer, askedAt }: CachedAnswer) =>
    (answer.kind === 'none' ? askedAt + noneFor : answer.endsAt) - now();
  /** Whether pages may still be served with it. */
  const isUsable = (cached: CachedAnswer) =>
    validFor(cached) > (cached.answer.kind === 'none' ? 0 : MIN_VALIDITY);
  const pauses = createPauses(now, timeout);

  const revalidate = async (
    key: string,
    query: CertificateQuery,
    cached: CachedAnswer | null,
  ): Promise<CachedAnswer | null> => {
    pauses.begun(key);
    try {
      const answer = await requestCertificate({ service, fetch: ask, timeout }, query, cached?.answer);
      const received: CachedAnswer = { answer, askedAt: now() };
      await putCached(cache, key, received, validFor(received));
      return received;
    } catch (error) {
      pauses.failed(key, error);
      return null;
    } finally {
      pauses.ended(key);
    }
  };

  /** The cached answer, possibly stale while it is revalidated; or what the service answers in time. */
  const current = async (query: CertificateQuery): Promise<CachedAnswer | null> => {
    const key = keyOf(query.pageUrl, certificateAddress(service, query));
    const cached = await readCached(cache, key);
    const usable = cached !== null && isUsable(cached) ? cached : null;
    if (query.effort === 'kept') return usable;
    const age = usable === null ? Number.POSITIVE_INFINITY : now() - usable.askedAt;
    if (age < freshFor || pauses.mayNotAsk(key)) return usable;
    if (usable !== null && pauses.isAsked(key)) return usable;
    const revalidation = revalidate(key, query, cached);
    query.waitUntil?.(revalidation);
    if (usable !== null && age < freshFor + staleFor) return usable;
    if (pauses.mayNotWait()) return usable;
    const result = await Promise.race([revalidation, late(patience)]);
    if (result === LATE) pauses.late();
    return result === LATE || result === null ? usable : result;
  };

  const isWithdrawn = async ({ proof }: ServedCertificate, { waitUntil }: CertificateQuery) => {
    if (options.statusLists === undefined) return false;
    // the certificate is from the service itself, so nobody else chose the list
    const lookUp = options.statusLists.lookUp(proof.jwt, service.replace(/\/+$/, ''), new Date(now()));
    const found = lookUp.catch(() => null);
    waitUntil?.(found);
    const known = await Promise.race([found, late(patience)]);
    return known !== LATE && (known?.status === 'invalid' || known?.status === 'suspended');
  };

  return {
    async find(query) {
      const { productId, pageUrl } = query;
      if (productId !== undefined && !isUuid(productId)) return null;
      const found = await current(query).catch(() => null);
      if (found?.answer.kind !== 'certificate' || !isUsable(found)) return null;
      const { certificate } = found.answer;
      // on any other page it would be reported as a copy
      if (!comparePageUrls(certificate.url, pageUrl).equal) return null;
      return (await isWithdrawn(certificate, query).catch(() => false)) ? null : certificate;
    },
  };
}

/** Pauses of requests after a failure, and of waiting after a late answer. */
function createPauses(now: () => number, timeout: number) {
  // stores times, no promises: a worker must not wait for the work of another request
  let askAgainAt = 0;
  let waitAgainAt = 0;
  const askedSince = new Map<string, number>();
  const pausedUntil = new Map<string, number>();
  return {
    begun: (key: string) => void askedSince.set(key, now()),
    ended: (key: string) => void askedSince.delete(key),
    failed(key: string, error: unknown) {
      if (error instanceof ServiceFault) askAgainAt = now() + PAUSE;
      if (pausedUntil.size >= MAX_PAUSED) pausedUntil.clear();
      pausedUntil.set(key, now() + PAUSE);
    },
    late() {
      waitAgainAt = now() + PAUSE;
    },
    mayNotAsk: (key: string) => now() < Math.max(askAgainAt, pausedUntil.get(key) ?? 0),
    mayNotWait: () => now() < waitAgainAt,
    /** A worker may cancel a revalidation when its request ends, so it counts only until the timeout. */
    isAsked: (key: string) => now() < (askedSince.get(key) ?? Number.NEGATIVE_INFINITY) + timeout,
  };
}

/** The cache key: a URL on the shop's origin, as required by the caches of workers. */
function keyOf(pageUrl: string, address: string): string {
  return `${new URL(pageUrl).origin}/.well-known/touchstone-edge?of=${encodeURIComponent(address)}`;
}

function askByFetch(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init);
}

const LATE = Symbol('late');

function late(milliseconds: number): Promise<typeof LATE> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(LATE), milliseconds);
  });
}
