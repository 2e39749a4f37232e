import { type Answer, isRecord } from './service.ts';

/** A cache for certificates; the Cache API of a runtime implements it. */
export interface CertificateCache {
  match(key: string): Promise<Response | undefined>;
  put(key: string, response: Response): Promise<void>;
}

/** Maximum entries of a cache in memory; a certificate has a few kilobytes. */
const MAX_ENTRIES = 2_000;

/**
 * A cache in memory, for runtimes without one. The least recently used entries are removed first.
 *
 * @param entries - how many it holds; default: 2,000
 * @example
 * ```ts
 * import { memoryCache } from '@touchstone/edge';
 *
 * const cache = memoryCache();
 * await cache.put('https://shop.example/a', new Response('kept'));
 * await (await cache.match('https://shop.example/a'))?.text(); // 'kept'
 * ```
 */
export function memoryCache(entries: number = MAX_ENTRIES): CertificateCache {
  const kept = new Map<string, string>();
  return {
    async match(key) {
      const text = kept.get(key);
      if (text === undefined) return undefined;
      kept.delete(key);
      kept.set(key, text);
      return new Response(text);
    },
    async put(key, response) {
      kept.delete(key);
      kept.set(key, await response.text());
      const oldest = kept.keys().next();
      if (kept.size > entries && oldest.done !== true) kept.delete(oldest.value);
    },
  };
}

/** The runtime's own cache, in workers; else one in memory. */
export function runtimeCache(): CertificateCache {
  const { caches } = globalThis as { readonly caches?: { readonly default?: CertificateCache } };
  return caches?.default ?? memoryCache();
}

/** A cached answer of the service. */
export interface CachedAnswer {
  readonly answer: Answer;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

/** A failing cache counts as empty. */
export async function readCached(cache: CertificateCache, key: string): Promise<CachedAnswer | null> {
  try {
    const cached = (await (await cache.match(key))?.json()) as unknown;
    return isRecord(cached) && isRecord(cached.answer) ? (cached as unknown as CachedAnswer) : null;
  } catch {
    return null;
  }
}

/** @param milliseconds - for which it is cached */
export async function putCached(
  cache: CertificateCache,
  key: string,
  cached: CachedAnswer,
  milliseconds: number,
): Promise<void> {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 1) return;
  const headers = { 'content-type': 'application/json', 'cache-control': `public, max-age=${seconds}` };
  await cache.put(key, new Response(JSON.stringify(cached), { headers })).catch(() => {});
}
