import { hash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  FetchFault,
  type FetchOptions,
  type FetchResult,
  type PageFetcher,
  type ResponseHeaders,
  type TakePermit,
} from '@touchstone/fetch';
import { type Observation, observePage, type PageReading, type ReadOptions } from '@touchstone/page';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import { spendFetch } from '../../platform/limits/fetch-budgets.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
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

/** What fetches and reads a page. */
export interface ObservePageOptions {
  readonly fetcher: PageFetcher;
  /**
   * Reads a page for a caller, possibly in another thread, to which its bytes are transferred.
   *
   * @throws ServiceError if no page can be read at the moment; any other error if this page cannot be read
   */
  readonly readPage: (
    body: Uint8Array,
    options: ReadOptions,
    caller: string,
  ) => PageReading | Promise<PageReading>;
  /** IRI of our vocabulary, for pages that write its terms as full IRIs. */
  readonly namespaceUrl?: string;
  /** Called with the error of the reader, for the log; the page then counts as unreadable. */
  readonly onUnreadable?: (error: unknown, pageUrl: string) => void;
}

/** Where observations are stored. */
export interface ObservationStorage {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: DatabaseSecrets;
  readonly settings: ObserveSettings;
  readonly loadReading: LoadReading;
}

export interface SharedFetchOptions extends ObservePageOptions, ObservationStorage {
  readonly permits: FetchPermits;
  /** Aborted when the node shuts down. */
  readonly stop: AbortSignal;
}

/** For whom an address is fetched, and how recent the observation must be. */
export interface FetchRequest {
  /** The fetch, if there must be one, is charged to this caller. */
  readonly caller: string;
  /**
   * Only an observation whose fetch began at this time or later may be used (database time, microseconds since 1970).
   * Absent: any that is recent enough.
   */
  readonly since?: number;
}

/** An observation, or why the caller that started the fetch was refused it. */
export type SharedResult = StoredObservation | { readonly refusal: ServiceError };

/** Milliseconds between two checks for the observation of another node. */
const POLL_INTERVAL = 100;
/** Milliseconds: for a permit, a whole fetch, and taking over from a node that died. */
const MAX_WAIT = 40_000;
/** Seconds; an outage of resolver or network seldom ends sooner. */
const RETRY_AFTER = 5;

/**
 * Obtains an observation of an address, with one fetch at a time over all nodes: takes the lease and fetches, or waits for the
 * observation that the holder of the lease records, whichever comes first.
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
    await delay(POLL_INTERVAL, undefined, { signal: stop });
    const latest = await usableObservation(page, request, options);
    if (latest !== null) return latest;
    if (performance.now() > giveUp)
      throw new ServiceError('network_unavailable', { retryAfter: RETRY_AFTER });
  }
}

/** The stored observation of an address, if it can be used for this request. */
export function usableObservation(
  page: PageAddress,
  request: FetchRequest,
  { db, secrets, settings, loadReading }: ObservationStorage,
): Promise<StoredObservation | null> {
  return latestObservation(db, secrets, page, (age) => isUsable(age, request, settings), loadReading);
}

/** Whether an observation can be used for a request: a `fresh` one needs a fetch that began after it arrived. */
export function isUsable(
  stored: ObservationAge,
  { since }: FetchRequest,
  { cacheSeconds, failedCacheSeconds }: ObserveSettings,
): boolean {
  if (since !== undefined) return stored.begun >= since;
  return stored.age <= (stored.failed ? Math.min(cacheSeconds, failedCacheSeconds) : cacheSeconds);
}

/** Releases the lease in any case: together with recording the observation, or without one. */
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
    // a lease that cannot be released expires
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
  const { db, secrets, settings } = options;
  // the previous holder may have recorded one before this lease was taken
  const latest = await usableObservation(page, request, options);
  if (latest !== null) {
    await releaseLease(db, lease);
    return latest;
  }
  const { caller } = request;
  const refusal = await refusalOf(spendFetch(options, { caller, host: page.host }, settings));
  if (refusal !== null) {
    await releaseLease(db, lease);
    return { refusal };
  }
  const { observation } = await fetchAndRead(page, request, new Date(lease.begun / 1_000), options);
  const failed = observation.outcome.kind === 'failed';
  const stored = { observation, failed, begun: lease.begun, age: 0 };
  const packed = await packObservation(secrets, observation);
  const overBudget = await recordObservation(
    db,
    secrets,
    { lease, age: stored, packed },
    { naming: options, caller, settings },
  );
  return overBudget === null ? stored : { refusal: overBudget };
}

/** A page as it came, for evidence. */
export interface CapturedPage {
  /** Decoded; absent if none were read. */
  readonly body?: Uint8Array;
  readonly headers: ResponseHeaders;
}

/**
 * Fetches an address for one caller alone, and keeps what came: others share observations, which have no bytes.
 *
 * @throws ServiceError fetch_budget_spent, network_unavailable; the reason of `stop`
 */
export async function capturePage(
  page: PageAddress,
  { caller }: Pick<FetchRequest, 'caller'>,
  options: SharedFetchOptions,
): Promise<{ readonly observation: Observation; readonly captured?: CapturedPage }> {
  return options.permits.run(caller, async (takePermit) => {
    await spendFetch(options, { caller, host: page.host }, options.settings);
    const fetchedAt = options.clock();
    return fetchAndRead(page, { caller }, fetchedAt, { ...options, takePermit, keepsPage: true });
  });
}

async function fetchAndRead(
  page: PageAddress,
  { caller }: Pick<FetchRequest, 'caller'>,
  fetchedAt: Date,
  options: SharedFetchOptions & { readonly takePermit: TakePermit; readonly keepsPage?: boolean },
): Promise<{ readonly observation: Observation; readonly captured?: CapturedPage }> {
  const { stop: signal, takePermit, namespaceUrl, keepsPage: keepHeaders = false } = options;
  let sha256: string | undefined;
  let captured: CapturedPage | undefined;
  const observation = await observePage(page.url, {
    fetch: async (url) => {
      const fetched = await fetchPage(url, options, { signal, takePermit, keepHeaders });
      const { body } = fetched;
      // before the reader takes the bytes
      if (body !== undefined) sha256 = hash('sha256', body, 'base64url');
      if (keepHeaders && 'headers' in fetched)
        captured = { headers: fetched.headers ?? {}, ...(body === undefined ? {} : { body: body.slice() }) };
      return fetched;
    },
    read: (body, reading) => readPage(body, reading, caller, options),
    namespaceUrl,
    fetchedAt,
  });
  return {
    observation: sha256 === undefined ? observation : { ...observation, sha256 },
    ...(captured === undefined ? {} : { captured }),
  };
}

/** The refusal if a budget is spent, as it concerns this caller only; other errors are thrown. */
async function refusalOf(spending: Promise<void>): Promise<ServiceError | null> {
  try {
    await spending;
    return null;
  } catch (refusal) {
    if (refusal instanceof ServiceError && refusal.code === 'fetch_budget_spent') return refusal;
    throw refusal;
  }
}

/** @throws ServiceError network_unavailable if our own network fails */
async function fetchPage(
  url: string,
  { fetcher }: ObservePageOptions,
  fetching: FetchOptions,
): Promise<FetchResult> {
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
