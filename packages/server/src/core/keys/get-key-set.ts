import { createFreshCache, type FreshCacheOptions, type Tag } from '../../platform/cache/fresh-cache.ts';
import { type RenderedDocument, renderDocument } from '../../platform/http/rendered-document.ts';

export type GetKeySet<T extends object> = () => RenderedDocument<T> | Promise<RenderedDocument<T>>;

export interface KeySetOptions<T extends object> extends Pick<FreshCacheOptions, 'clock'> {
  readonly caching: Pick<FreshCacheOptions, 'hub' | 'freshness'>;
  readonly read: () => Promise<T>;
  /** Changes besides those of keys that it depends on. */
  readonly tags?: readonly Tag[];
}

/** Bytes: there are few keys. */
const CACHE_BYTES = 256 * 1024;

/**
 * A public key set of a part, remembered until a key changes. While the database does not answer, the last one is given, and caches may not
 * keep it.
 */
export function createGetKeySet<T extends object>({
  clock,
  caching,
  read,
  tags = [],
}: KeySetOptions<T>): GetKeySet<T> {
  const cache = createFreshCache<RenderedDocument<T>>({
    ...caching,
    clock,
    maxBytes: CACHE_BYTES,
    asStale: (set) => ({ ...set, headers: { ...set.headers, 'cache-control': 'public, no-cache' } }),
  });
  const load = async () => {
    const value = renderDocument<T>(await read(), {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=3600',
    });
    return { value, bytes: value.body.latin1.length, tags: ['k:*', ...tags] as const };
  };
  return () => cache.get('keys', load);
}
