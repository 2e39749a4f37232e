import { productCertificatePath } from '@touchstone/certificate';
import { comparePageUrls, isUuid } from '@touchstone/certificate/binding';
import { type Answer, isRecord, readAnswer, type ServedCertificate, ServiceFault } from './answer.ts';
import { type CertificateCache, runtimeCache } from './cache.ts';

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

/** What is kept of an answer. */
interface Kept {
  readonly answer: Exclude<Answer, { kind: 'same' }>;
  readonly askedAt: number;
}

const DEFAULTS = { freshFor: 3_600, staleFor: 86_400, noneFor: 60, patience: 250, timeout: 10_000 };
/** Milliseconds after a fault in which it is not asked for again, and after a late answer in which no page waits. */
const REST = 10_000;
/** Certificates whose faults are remembered. */
const MOST_RESTING = 1_000;
/** Milliseconds that a certificate must have left where it is put into a page. */
const LEAST_LEFT = 300_000;

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
  const base = service.replace(/\/+$/, '');
  const freshFor = (options.freshFor ?? DEFAULTS.freshFor) * 1000;
  const staleFor = (options.staleFor ?? DEFAULTS.staleFor) * 1000;
  const noneFor = (options.noneFor ?? DEFAULTS.noneFor) * 1000;
  const { patience = DEFAULTS.patience, timeout = DEFAULTS.timeout } = options;
  // times and names only: a worker must not wait for the work of another request
  let askAgainAt = 0;
  let waitAgainAt = 0;
  const askedSince = new Map<string, number>();
  const restsUntil = new Map<string, number>();
  const rest = (key: string, error: unknown) => {
    if (error instanceof ServiceFault) askAgainAt = now() + REST;
    if (restsUntil.size >= MOST_RESTING) restsUntil.clear();
    restsUntil.set(key, now() + REST);
  };

  const addressOf = ({ productId, pageUrl }: CertificateQuery): string =>
    productId === undefined
      ? `${base}/api/v1/mc4p/certificates?url=${encodeURIComponent(pageUrl)}`
      : base + productCertificatePath(productId.toLowerCase());

  const asked = async (address: string, init: RequestInit): Promise<Response> => {
    try {
      return await ask(address, init);
    } catch (cause) {
      throw new ServiceFault('the service does not answer', { cause });
    }
  };

  const refresh = async (address: string, key: string, query: CertificateQuery, kept: Kept | null) => {
    const etag = kept?.answer.kind === 'certificate' ? kept.answer.etag : null;
    try {
      askedSince.set(key, now());
      const response = await asked(address, {
        headers: {
          accept: 'application/ld+json, application/json',
          ...(etag === null ? {} : { 'if-none-match': etag }),
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      });
      const told = await readAnswer(response, query.productId);
      const answer = told.kind === 'same' ? kept?.answer : told;
      if (answer === undefined) throw new Error('nothing was kept that could be the same');
      const renewed: Kept = { answer, askedAt: now() };
      await keep(key, renewed);
      return renewed;
    } catch (error) {
      rest(key, error);
      return null;
    } finally {
      askedSince.delete(key);
    }
  };

  const keep = async (key: string, kept: Kept): Promise<void> => {
    const { answer, askedAt } = kept;
    const until = answer.kind === 'none' ? askedAt + noneFor : answer.endsAt;
    const seconds = Math.floor((until - now()) / 1000);
    if (seconds < 1) return;
    const headers = { 'content-type': 'application/json', 'cache-control': `public, max-age=${seconds}` };
    await cache.put(key, new Response(JSON.stringify(kept), { headers })).catch(() => {});
  };

  const recall = async (key: string): Promise<Kept | null> => {
    try {
      const kept = (await (await cache.match(key))?.json()) as unknown;
      return isRecord(kept) && isRecord(kept.answer) ? (kept as unknown as Kept) : null;
    } catch {
      return null;
    }
  };

  const isUsable = ({ answer, askedAt }: Kept): boolean =>
    answer.kind === 'none' ? now() < askedAt + noneFor : now() < answer.endsAt - LEAST_LEFT;

  /** What is kept, while the service is asked; or what it answers in time. */
  const current = async (query: CertificateQuery): Promise<Kept | null> => {
    const address = addressOf(query);
    const key = keyOf(query.pageUrl, address);
    const kept = await recall(key);
    const usable = kept !== null && isUsable(kept) ? kept : null;
    if (query.effort === 'kept') return usable;
    const age = usable === null ? Number.POSITIVE_INFINITY : now() - usable.askedAt;
    if (age < freshFor || now() < Math.max(askAgainAt, restsUntil.get(key) ?? 0)) return usable;
    // work that was broken off with its request counts no longer
    if (usable !== null && now() < (askedSince.get(key) ?? Number.NEGATIVE_INFINITY) + timeout) return usable;
    const asking = refresh(address, key, query, kept);
    query.waitUntil?.(asking);
    if (usable !== null && age < freshFor + staleFor) return usable;
    if (query.effort === 'now' || now() < waitAgainAt) return usable;
    const told = await Promise.race([asking, late(patience)]);
    if (told === LATE) waitAgainAt = now() + REST;
    return told === LATE || told === null ? usable : told;
  };

  return {
    async find(query) {
      const { productId, pageUrl } = query;
      if (productId !== undefined && !isUuid(productId)) return null;
      const found = await current(query).catch(() => null);
      if (found?.answer.kind !== 'certificate' || !isUsable(found)) return null;
      const { certificate } = found.answer;
      // on any other page it would be told as a copy
      return comparePageUrls(certificate.url, pageUrl).equal ? certificate : null;
    },
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
