import { comparePageUrls, isUuid } from '@touchstone/certificate/binding';
import { type ServedCertificate, ServiceFault } from './answer.ts';
import { askService, certificateAddress } from './ask-service.ts';
import { type CertificateCache, runtimeCache } from './cache.ts';
import { createKeptAnswers, type Kept } from './kept-answers.ts';

/** Whose certificates, where they are kept, and how long one goes without asking or waiting. */
export interface CertificatesOptions {
  /** Base address of the service, such as `https://certificates.example`. */
  readonly service: string;
  /** Where certificates are kept; default: the runtime's cache, else memory. */
  readonly cache?: CertificateCache | undefined;
  /** Seconds for which a kept certificate is used without a question; default: an hour. */
  readonly freshFor?: number | undefined;
  /** Seconds after these for which it is used while the service is asked; default: a day. Behind them the service is asked first. */
  readonly staleFor?: number | undefined;
  /** Seconds for which it is remembered that there is none; default: a minute. */
  readonly noneFor?: number | undefined;
  /** Milliseconds that a page waits for the service at the most; default: 250. */
  readonly patience?: number | undefined;
  /** Milliseconds after which the service is given up, beside the page; default: 10,000. */
  readonly timeout?: number | undefined;
  /** What asks the service. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** Which certificate is wanted. */
export interface CertificateQuery {
  /** Address of the page it is to stand on, as visitors see it. */
  readonly pageUrl: string;
  /** The service's id of the product; where it is left out, the service finds the product by the page's address. */
  readonly productId?: string | undefined;
  /** Takes work that goes on behind the answer: `waitUntil` of a worker's context. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
  /** How far one goes for it: `kept`, the service is not asked; `now`, it is not waited for; default: `wait`. */
  readonly effort?: 'kept' | 'now' | 'wait' | undefined;
}

/** Certificates of a service, for pages. Nothing in it throws: what goes wrong makes a page without one. */
export interface Certificates {
  /** The certificate to put on a page now; `null`: none. It is one of this page whose proof has not ended. */
  find(query: CertificateQuery): Promise<ServedCertificate | null>;
}

const DEFAULTS = { freshFor: 3_600, staleFor: 86_400, noneFor: 60, patience: 250, timeout: 10_000 };
/** Milliseconds after a fault in which it is not asked for again, and after a late answer in which no page waits. */
const REST = 10_000;
/** Certificates whose faults are remembered. */
const MOST_RESTING = 1_000;

/**
 * Certificates that are kept near, asked for again by their ETag, and used while they are asked for.
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
  const answers = createKeptAnswers(cache, { noneFor, now });
  const pauses = createPauses(now, timeout);

  const refresh = async (key: string, query: CertificateQuery, kept: Kept | null): Promise<Kept | null> => {
    pauses.begun(key);
    try {
      const answer = await askService({ service, fetch: ask, timeout }, query, kept);
      const renewed: Kept = { answer, askedAt: now() };
      await answers.keep(key, renewed);
      return renewed;
    } catch (error) {
      pauses.failed(key, error);
      return null;
    } finally {
      pauses.ended(key);
    }
  };

  /** What is kept, while the service is asked; or what it answers in time. */
  const current = async (query: CertificateQuery): Promise<Kept | null> => {
    const key = keyOf(query.pageUrl, certificateAddress(service, query));
    const kept = await answers.recall(key);
    const usable = kept !== null && answers.isUsable(kept) ? kept : null;
    if (query.effort === 'kept') return usable;
    const age = usable === null ? Number.POSITIVE_INFINITY : now() - usable.askedAt;
    if (age < freshFor || pauses.mayNotAsk(key)) return usable;
    if (usable !== null && pauses.isAsked(key)) return usable;
    const asking = refresh(key, query, kept);
    query.waitUntil?.(asking);
    if (usable !== null && age < freshFor + staleFor) return usable;
    if (query.effort === 'now' || pauses.mayNotWait()) return usable;
    const told = await Promise.race([asking, late(patience)]);
    if (told === LATE) pauses.late();
    return told === LATE || told === null ? usable : told;
  };

  return {
    async find(query) {
      const { productId, pageUrl } = query;
      if (productId !== undefined && !isUuid(productId)) return null;
      const found = await current(query).catch(() => null);
      if (found?.answer.kind !== 'certificate' || !answers.isUsable(found)) return null;
      const { certificate } = found.answer;
      // on any other page it would be told as a copy
      return comparePageUrls(certificate.url, pageUrl).equal ? certificate : null;
    },
  };
}

/** When the service is asked again after it failed, and when pages wait for it again after it was late. */
function createPauses(now: () => number, timeout: number) {
  // times and names only: a worker must not wait for the work of another request
  let askAgainAt = 0;
  let waitAgainAt = 0;
  const askedSince = new Map<string, number>();
  const restsUntil = new Map<string, number>();
  return {
    begun: (key: string) => void askedSince.set(key, now()),
    ended: (key: string) => void askedSince.delete(key),
    failed(key: string, error: unknown) {
      if (error instanceof ServiceFault) askAgainAt = now() + REST;
      if (restsUntil.size >= MOST_RESTING) restsUntil.clear();
      restsUntil.set(key, now() + REST);
    },
    late() {
      waitAgainAt = now() + REST;
    },
    mayNotAsk: (key: string) => now() < Math.max(askAgainAt, restsUntil.get(key) ?? 0),
    mayNotWait: () => now() < waitAgainAt,
    /** Work that was broken off with its request counts no longer. */
    isAsked: (key: string) => now() < (askedSince.get(key) ?? Number.NEGATIVE_INFINITY) + timeout,
  };
}

/** Under the shop's own name, as caches of workers want it. */
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
