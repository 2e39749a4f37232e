import { type Answer, isRecord } from './answer.ts';
import type { CertificateCache } from './cache.ts';

/** A cached answer of the service. */
export interface CachedAnswer {
  readonly answer: Exclude<Answer, { kind: 'same' }>;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

export interface CachedAnswers {
  get(key: string): Promise<CachedAnswer | null>;
  put(key: string, cached: CachedAnswer): Promise<void>;
  /** Whether pages may still be served with it. */
  isUsable(cached: CachedAnswer): boolean;
}

/** Milliseconds that a certificate must remain valid when it is inserted into a page. */
const MIN_VALIDITY = 300_000;

/** Caches answers while they are usable. A failing cache counts as empty. */
export function createCachedAnswers(
  cache: CertificateCache,
  { noneFor, now }: { readonly noneFor: number; readonly now: () => number },
): CachedAnswers {
  return {
    async get(key) {
      try {
        const cached = (await (await cache.match(key))?.json()) as unknown;
        return isRecord(cached) && isRecord(cached.answer) ? (cached as unknown as CachedAnswer) : null;
      } catch {
        return null;
      }
    },
    async put(key, cached) {
      const { answer, askedAt } = cached;
      const until = answer.kind === 'none' ? askedAt + noneFor : answer.endsAt;
      const seconds = Math.floor((until - now()) / 1000);
      if (seconds < 1) return;
      const headers = { 'content-type': 'application/json', 'cache-control': `public, max-age=${seconds}` };
      await cache.put(key, new Response(JSON.stringify(cached), { headers })).catch(() => {});
    },
    isUsable: ({ answer, askedAt }) =>
      answer.kind === 'none' ? now() < askedAt + noneFor : now() < answer.endsAt - MIN_VALIDITY,
  };
}
