import { FRESH_CHECKS_PER_MINUTE } from '@touchstone/contract';
import type { Config } from '../platform/settings/config.ts';

/** How pages are observed. Times in seconds, budgets per minute. */
export interface ObserveSettings {
  /** How old an observation may be to be used again; 0: never (PAGE_CACHE_SECONDS). */
  readonly cacheSeconds: number;
  /** The same for a fetch that failed; never more than `cacheSeconds`. */
  readonly failedCacheSeconds: number;
  /** `fresh` checks of one caller. */
  readonly freshPerCaller: number;
  /** Fetches that one caller causes, those for `cached` misses too; also of all callers of one network together. */
  readonly fetchesPerCaller: number;
  /** Fetches from one host, whoever causes them. */
  readonly fetchesPerHost: number;
  /** Fetches of the whole service, over all nodes. */
  readonly fetchesInAll: number;
  /** Bytes that one caller has kept in any `KEPT_WINDOW`, of observations and reports; all callers of one network, too. */
  readonly keptPerCaller: number;
  /** Bytes of all reports; beyond it the oldest go before their time. */
  readonly keptInAll: number;
  /** Fetches in progress at one node; callers of one network, and hosts of one network, get a fourth of them. */
  readonly concurrentFetches: number;
}

export function observeSettings({
  pageCacheSeconds,
  pageChecks,
  fetch,
}: Pick<Config, 'pageCacheSeconds' | 'pageChecks' | 'fetch'>): ObserveSettings {
  return {
    cacheSeconds: pageCacheSeconds,
    // a fetch that failed may succeed in a minute
    failedCacheSeconds: Math.min(60, pageCacheSeconds),
    freshPerCaller: FRESH_CHECKS_PER_MINUTE,
    fetchesPerCaller: fetch.perCaller,
    fetchesPerHost: fetch.perHost,
    fetchesInAll: fetch.total,
    keptPerCaller: pageChecks.bytesPerCaller,
    keptInAll: pageChecks.bytesInAll,
    concurrentFetches: fetch.concurrent,
  };
}

/** Seconds that an observation is kept: it may be used again until then. */
export function observationSeconds({ cacheSeconds }: ObserveSettings): number {
  return Math.max(cacheSeconds, 60) + 60;
}

/** The window that kept bytes are counted in, in seconds. */
export const KEPT_WINDOW = 600;
