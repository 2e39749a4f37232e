import { FRESH_CHECKS_PER_MINUTE } from '@touchstone/contract';
import type { FetchBudgets } from '../../platform/limits/fetch-budgets.ts';
import type { Config } from '../../platform/settings/config.ts';

/** How pages are observed. Times in seconds, budgets per minute. */
export interface ObserveSettings extends FetchBudgets {
  /** Maximum age of an observation that is used again; 0: none is (TOUCHSTONE_PAGE_CACHE_SECONDS). */
  readonly cacheSeconds: number;
  /** The same for a fetch that failed; never more than `cacheSeconds`. */
  readonly failedCacheSeconds: number;
  /** `fresh` checks of one caller. */
  readonly freshPerCaller: number;
  /** Bytes of observations and reports stored for one caller in any `KEPT_WINDOW`; the same for all callers of one network. */
  readonly keptPerCaller: number;
  /** Bytes of all reports; beyond it the oldest are deleted early. */
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

/** Seconds that an observation is stored, for as long as it may be used again. */
export function observationSeconds({ cacheSeconds }: ObserveSettings): number {
  return Math.max(cacheSeconds, 60) + 60;
}

/** The window of the storage budgets, in seconds. */
export const KEPT_WINDOW = 600;
