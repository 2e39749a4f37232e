import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Fetched, observePage, type PageReading, type ReadOptions } from '@touchstone/page';
import { FetchFault, type FetchOptions, type PageFetcher } from '@touchstone/page/fetch';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import { spendFetch } from './fetch-budgets.ts';
import { type FetchLease, releaseLease, takeLease, whileHeld } from './fetch-lease.ts';
import type { FetchPermits } from './fetch-permits.ts';
import { latestObservation, recordObservation, type StoredObservation } from './observation-store.ts';
import type { ObservedUrl } from './observed-url.ts';
import type { ObserveSettings } from './settings.ts';

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

export interface FlightOptions extends ObservePageOptions {
  readonly db: Database;
  readonly settings: ObserveSettings;
  readonly permits: FetchPermits;
  /** The node is shutting down. */
  readonly stop: AbortSignal;
}

/** Whose flight it is, and what will do for them. */
export interface FlightRequest {
  /** Pays for the fetch, if there must be one. */
  readonly caller: string;
  /**
   * Only an observation whose fetch began at this moment or later will do (database time, microseconds since
   * 1970). Absent: any that is recent enough.
   */
  readonly since?: number;
}

/** What a flight comes back with: an observation, or that whoever started it could not pay for it. */
export type Landing = StoredObservation | { readonly refusal: ServiceError };

/** Milliseconds between two looks at what another node is fetching. */
const POLL_EVERY = 100;
/** Milliseconds: the wait for a permit, a whole fetch, and the time to take over from a node that died. */
const MAX_WAIT = 40_000;

/**
 * Brings an observation of an address: takes the lease and fetches, or waits for what the node that has the lease
 * records, whichever comes first.
 *
 * @throws ServiceError network_unavailable, database_unavailable, fetch_budget_spent (no permit in time); the reason of
 *   `stop`
 */
export async function fly(
  target: ObservedUrl,
  request: FlightRequest,
  options: FlightOptions,
): Promise<Landing> {
  const { db, settings, stop } = options;
  const holder = randomUUID();
  const giveUp = performance.now() + MAX_WAIT;
  for (;;) {
    const lease = await takeLease(db, target.key, holder);
    if (lease !== null) return await flyWith(lease, target, request, options);
    await delay(POLL_EVERY, undefined, { signal: stop });
    const latest = await latestObservation(db, target.key);
    if (latest !== null && isUsable(latest, request, settings)) return latest;
    if (performance.now() > giveUp) throw new ServiceError('network_unavailable', { retryAfter: 5 });
  }
}

/** Gives the lease up in any case: with the observation that is recorded, or without one. */
async function flyWith(
  lease: FetchLease,
  target: ObservedUrl,
  request: FlightRequest,
  options: FlightOptions,
): Promise<Landing> {
  const { db, permits } = options;
  const owner = { caller: request.caller, host: target.host };
  try {
    return await whileHeld(db, lease, () =>
      permits.run(owner, () => fetchHolding(lease, target, request, options)),
    );
  } catch (error) {
    // a lease that cannot be given up expires by itself
    await releaseLease(db, lease).catch(() => {});
    throw error;
  }
}

async function fetchHolding(
  lease: FetchLease,
  target: ObservedUrl,
  request: FlightRequest,
  options: FlightOptions,
): Promise<Landing> {
  const { db, settings, stop: signal } = options;
  // what the last holder recorded between our look and our lease
  const latest = await latestObservation(db, target.key);
  if (latest !== null && isUsable(latest, request, settings)) {
    await releaseLease(db, lease);
    return latest;
  }
  try {
    await spendFetch(db, { caller: request.caller, host: target.host }, settings);
  } catch (refusal) {
    if (!(refusal instanceof ServiceError) || refusal.code !== 'fetch_budget_spent') throw refusal;
    await releaseLease(db, lease);
    return { refusal };
  }
  const observation = await observePage(target.href, {
    fetch: (url) => fetchPage(url, options, { signal }),
    read: (body, reading) => readPage(body, reading, request.caller, options),
    namespaceUrl: options.namespaceUrl,
    fetchedAt: new Date(lease.begun / 1_000),
  });
  const failed = observation.outcome.kind === 'failed';
  const stored = { observation, failed, begun: lease.begun, age: 0 };
  await recordObservation(db, target, lease.holder, stored);
  return stored;
}

/** Seconds; a resolver or a route that is lost is seldom back sooner. */
const RETRY_AFTER = 5;

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

/** Whether an observation will do for who asks (decision 17). */
export function isUsable(
  stored: StoredObservation,
  { since }: FlightRequest,
  { cacheSeconds, failedCacheSeconds }: ObserveSettings,
): boolean {
  if (since !== undefined) return stored.begun >= since;
  return stored.age <= (stored.failed ? Math.min(cacheSeconds, failedCacheSeconds) : cacheSeconds);
}
