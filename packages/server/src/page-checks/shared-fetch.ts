import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Fetched, observePage, type PageReading, type ReadOptions } from '@touchstone/page';
import { FetchFault, type FetchOptions, type PageFetcher, type TakePermit } from '@touchstone/page/fetch';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import { spendFetch } from './fetch-budgets.ts';
import type { FetchPermits } from './fetch-permits.ts';
import {
  type FetchLease,
  latestObservation,
  type ObservationAge,
  packObservation,
  recordObservation,
  releaseLease,
  type StoredObservation,
  takeLease,
  whileHeld,
} from './observation-store.ts';
import type { ObserveSettings } from './observe-settings.ts';
import type { PageAddress } from './page-address.ts';
import type { LoadReading } from './reading-cache.ts';

/** How an address becomes an observation. */
export interface ObservePageOptions {
  readonly fetcher: PageFetcher;
  /**
   * Reads a page's bytes, which are its own from then on, for a caller; perhaps in another thread.
   *
   * @throws ServiceError when it cannot read at the moment; any other error: the page cannot be read
   */
  readonly readPage: (
    body: Uint8Array,
    options: ReadOptions,
    caller: string,
  ) => PageReading | Promise<PageReading>;
  /** Where the names of our vocabulary begin when a page writes them out in full. */
  readonly namespaceUrl?: string;
  /** The reader broke on a page; for the log. The page then counts as one that cannot be read. */
  readonly onUnreadable?: (error: unknown, pageUrl: string) => void;
}

/** Where observations are kept. */
export interface ObservationPlace {
  readonly db: Database;
  readonly settings: ObserveSettings;
  readonly loadReading: LoadReading;
}

export interface SharedFetchOptions extends ObservePageOptions, ObservationPlace {
  readonly permits: FetchPermits;
  /** The node is shutting down. */
  readonly stop: AbortSignal;
}

/** For whom an address is fetched, and what will do for them. */
export interface FetchRequest {
  /** Pays for the fetch, if there must be one. */
  readonly caller: string;
  /**
   * Only an observation whose fetch began at this moment or later will do (database time, microseconds since
   * 1970). Absent: any that is recent enough.
   */
  readonly since?: number;
}

/** An observation, or that whoever started the fetch could not pay for it. */
export type SharedResult = StoredObservation | { readonly refusal: ServiceError };

/** Milliseconds between two checks of what another node is fetching. */
const POLL_EVERY = 100;
/** Milliseconds: the wait for a permit, a whole fetch, and the time to take over from a node that died. */
const MAX_WAIT = 40_000;
/** Seconds; a resolver or a route that is lost is seldom back sooner. */
const RETRY_AFTER = 5;

/**
 * Brings an observation of an address by one fetch at a time over all nodes: takes the lease and fetches, or waits for
 * what the node that has the lease records, whichever comes first.
 *
 * @throws ServiceError network_unavailable, database_unavailable, fetch_budget_spent (no permit in time); the reason of
 *   `stop`
 */
export async function sharedFetch(
  page: PageAddress,
  request: FetchRequest,
  options: SharedFetchOptions,
): Promise<SharedResult> {
  const { db, stop } = options;
  const holder = randomUUID();
  const giveUp = performance.now() + MAX_WAIT;
  for (;;) {
    const lease = await takeLease(db, page.key, holder);
    if (lease !== null) return await fetchUnderLease(lease, page, request, options);
    await delay(POLL_EVERY, undefined, { signal: stop });
    const latest = await usableObservation(page, request, options);
    if (latest !== null) return latest;
    if (performance.now() > giveUp)
      throw new ServiceError('network_unavailable', { retryAfter: RETRY_AFTER });
  }
}

/** What is stored of an address, if it will do. */
export function usableObservation(
  { key }: PageAddress,
  request: FetchRequest,
  { db, settings, loadReading }: ObservationPlace,
): Promise<StoredObservation | null> {
  return latestObservation(db, key, (age) => isUsable(age, request, settings), loadReading);
}

/** Whether an observation will do for who asks: `fresh` is content only with a fetch begun after the request arrived. */
export function isUsable(
  stored: ObservationAge,
  { since }: FetchRequest,
  { cacheSeconds, failedCacheSeconds }: ObserveSettings,
): boolean {
  if (since !== undefined) return stored.begun >= since;
  return stored.age <= (stored.failed ? Math.min(cacheSeconds, failedCacheSeconds) : cacheSeconds);
}

/** Gives the lease up in any case: with the observation that is recorded, or without one. */
async function fetchUnderLease(
  lease: FetchLease,
  page: PageAddress,
  request: FetchRequest,
  options: SharedFetchOptions,
): Promise<SharedResult> {
  const { db, permits } = options;
  try {
    return await whileHeld(db, lease, () =>
      permits.run(request.caller, (takePermit) =>
        fetchAndRecord(lease, page, request, { ...options, takePermit }),
      ),
    );
  } catch (error) {
    // a lease that cannot be given up expires by itself
    await releaseLease(db, lease).catch(() => {});
    throw error;
  }
}

async function fetchAndRecord(
  lease: FetchLease,
  page: PageAddress,
  request: FetchRequest,
  options: SharedFetchOptions & { readonly takePermit: TakePermit },
): Promise<SharedResult> {
  const { db, settings, stop: signal, takePermit } = options;
  // what the last holder recorded before the lease was ours
  const latest = await usableObservation(page, request, options);
  if (latest !== null) {
    await releaseLease(db, lease);
    return latest;
  }
  const { caller } = request;
  const unpaid = await refusalOf(spendFetch(db, { caller, host: page.host }, settings));
  if (unpaid !== null) {
    await releaseLease(db, lease);
    return { refusal: unpaid };
  }
  const observation = await observePage(page.url, {
    fetch: (url) => fetchPage(url, options, { signal, takePermit }),
    read: (body, reading) => readPage(body, reading, request.caller, options),
    namespaceUrl: options.namespaceUrl,
    fetchedAt: new Date(lease.begun / 1_000),
  });
  const failed = observation.outcome.kind === 'failed';
  const stored = { observation, failed, begun: lease.begun, age: 0 };
  const packed = await packObservation(observation);
  const tooMuch = await recordObservation(db, { lease, page, age: stored, packed }, { caller, settings });
  return tooMuch === null ? stored : { refusal: tooMuch };
}

/** That a budget is spent, which is told to whom it is for; other faults are thrown. */
async function refusalOf(spending: Promise<void>): Promise<ServiceError | null> {
  try {
    await spending;
    return null;
  } catch (refusal) {
    if (refusal instanceof ServiceError && refusal.code === 'fetch_budget_spent') return refusal;
    throw refusal;
  }
}

/** @throws ServiceError network_unavailable when we have no way out */
async function fetchPage(
  url: string,
  { fetcher }: ObservePageOptions,
  fetching: FetchOptions,
): Promise<Fetched> {
  try {
    return await fetcher.fetch(url, fetching);
  } catch (error) {
    if (!(error instanceof FetchFault)) throw error;
    throw new ServiceError('network_unavailable', { cause: error, retryAfter: RETRY_AFTER });
  }
}

async function readPage(
  body: Uint8Array,
  reading: ReadOptions,
  caller: string,
  options: ObservePageOptions,
): Promise<PageReading | null> {
  try {
    return await options.readPage(body, reading, caller);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    options.onUnreadable?.(error, reading.url);
    return null;
  }
}
