import { withRouteOf } from '@touchstone/certificate/binding';
import type { Observation } from '@touchstone/page';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { createFetchPermits } from './fetch-permits.ts';
import type { StoredObservation } from './observation-store.ts';
import type { ObserveSettings } from './observe-settings.ts';
import { MAX_SHOWN, type PageAddress, pageAddress, storedKey } from './page-address.ts';
import { createReadingCache } from './reading-cache.ts';
import {
  type CapturedPage,
  capturePage,
  type FetchRequest,
  isUsable,
  type ObservePageOptions,
  type SharedResult,
  sharedFetch,
  usableObservation,
} from './shared-fetch.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface ObserverOptions extends ObservePageOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: DatabaseSecrets;
  readonly settings: ObserveSettings;
}

export interface ObserveRequest extends FetchRequest {
  /** Aborted when this caller leaves; others that wait for the same page are not affected. */
  readonly signal: AbortSignal;
}

export interface Observer {
  /**
   * An observation of a page: a recent one, or a new one.
   *
   * @param url - as requested
   * @throws ServiceError fetch_budget_spent, network_unavailable, database_unavailable; the reason of `signal`
   */
  observe(url: string, request: ObserveRequest): Promise<Observation>;
  /** The same by a fetch of its own, with the page as it came; nothing came from an address that is not fetched. */
  capture(
    url: string,
    request: ObserveRequest,
  ): Promise<{ readonly observation: Observation; readonly captured?: CapturedPage }>;
  /** Aborts the fetches in progress, and resolves when they have ended. */
  close(): Promise<void>;
}

/** How often a caller joins fetches of others whose results it cannot use. */
const MAX_JOINS = 8;

/**
 * Ensures that an address is fetched once at a time over all nodes, and that all concurrent callers get the same observation.
 * Callers at one node share a fetch; between nodes, the one that holds the lease fetches, and the others wait for the
 * observation that it records.
 */
export function createObserver(options: ObserverOptions): Observer {
  const { db, secrets, settings } = options;
  const inFlight = new Map<string, Promise<SharedResult>>();
  const stop = new AbortController();
  const permits = createFetchPermits(settings.concurrentFetches);
  const fetching = { ...options, permits, stop: stop.signal, loadReading: createReadingCache(db, secrets) };

  const start = (page: PageAddress, request: FetchRequest): Promise<SharedResult> => {
    if (stop.signal.aborted) throw new ServiceError('shutting_down');
    const fetch = sharedFetch(page, request, fetching)
      .catch((error: unknown) => {
        throw stop.signal.aborted ? new ServiceError('shutting_down', { cause: error }) : error;
      })
      .finally(() => inFlight.delete(page.key));
    inFlight.set(page.key, fetch);
    return fetch;
  };

  const observeAddress = async (page: PageAddress, request: ObserveRequest): Promise<StoredObservation> => {
    for (let join = 0; join < MAX_JOINS; join += 1) {
      // a fetch that began after this request arrived has hardly ended yet; `sharedFetch` checks again
      if (request.since === undefined || join > 0) {
        const latest = await usableObservation(page, request, fetching);
        if (latest !== null) return latest;
      }
      const running = inFlight.get(page.key);
      const result = await unlessAborted(running ?? start(page, request), request.signal);
      if (!('refusal' in result)) {
        if (isUsable(result, request, settings)) return result;
        // the refusal concerns the budget of the caller that started the fetch
      } else if (running === undefined) throw result.refusal;
    }
    throw new ServiceError('fetch_budget_spent', { retryAfter: 1 });
  };

  const observeBy = async <T extends { readonly observation: Observation }>(
    url: string,
    observe: (page: PageAddress) => Promise<T>,
  ): Promise<T | { readonly observation: Observation }> => {
    const page = pageAddress(url);
    if (page.kind === 'address') {
      const key = storedKey(secrets, page);
      // the address as fetched, with the caller's route, so that another spelling gives the same report
      const observed = await observe({ ...page, key });
      const asked = withRouteOf(page.url, url);
      const { observation } = observed;
      const finalUrl = withRouteOf(observation.finalUrl, asked);
      return { ...observed, observation: { ...observation, url: asked, finalUrl } };
    }
    const asked = url.slice(0, MAX_SHOWN).toWellFormed();
    const fetchedAt = options.clock().toISOString();
    return { observation: { url: asked, finalUrl: asked, fetchedAt, outcome: page } };
  };

  return {
    observe: async (url, request) =>
      (await observeBy(url, (page) => observeAddress(page, request))).observation,
    capture: (url, request) =>
      observeBy(url, (page) => unlessAborted(capturePage(page, request, fetching), request.signal)),
    async close() {
      stop.abort();
      await Promise.allSettled(inFlight.values());
    },
  };
}
