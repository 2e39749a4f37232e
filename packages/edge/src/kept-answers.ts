import { type Answer, isRecord } from './answer.ts';
import type { CertificateCache } from './cache.ts';

/** What is kept of an answer of the service. */
export interface Kept {
  readonly answer: Exclude<Answer, { kind: 'same' }>;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

export interface KeptAnswers {
  recall(key: string): Promise<Kept | null>;
  keep(key: string, kept: Kept): Promise<void>;
  /** Whether a page may still be made by it. */
  isUsable(kept: Kept): boolean;
}

/** Milliseconds that a certificate must have left where it is put into a page. */
const LEAST_LEFT = 300_000;

/** Answers in a cache, each for as long as it can be of use. A cache that fails counts as an empty one. */
export function createKeptAnswers(
  cache: CertificateCache,
  { noneFor, now }: { readonly noneFor: number; readonly now: () => number },
): KeptAnswers {
  return {
    async recall(key) {
      try {
        const kept = (await (await cache.match(key))?.json()) as unknown;
        return isRecord(kept) && isRecord(kept.answer) ? (kept as unknown as Kept) : null;
      } catch {
        return null;
      }
    },
    async keep(key, kept) {
      const { answer, askedAt } = kept;
      const until = answer.kind === 'none' ? askedAt + noneFor : answer.endsAt;
      const seconds = Math.floor((until - now()) / 1000);
      if (seconds < 1) return;
      const headers = { 'content-type': 'application/json', 'cache-control': `public, max-age=${seconds}` };
      await cache.put(key, new Response(JSON.stringify(kept), { headers })).catch(() => {});
    },
    isUsable: ({ answer, askedAt }) =>
      answer.kind === 'none' ? now() < askedAt + noneFor : now() < answer.endsAt - LEAST_LEFT,
  };
}
