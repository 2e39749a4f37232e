import { withRouteOf } from '@touchstone/certificate/binding';
import type { Observation } from '@touchstone/page';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import { createFetchPermits } from './fetch-permits.ts';
import type { StoredObservation } from './observation-store.ts';
import type { ObserveSettings } from './observe-settings.ts';
import { MAX_SHOWN, type PageAddress, pageAddress } from './page-address.ts';
import { createReadingCache } from './reading-cache.ts';
import {
  type FetchRequest,
  isUsable,
  type ObservePageOptions,
  type SharedResult,
  sharedFetch,
  usableObservation,
} from './shared-fetch.ts';

export interface ObserverOptions extends ObservePageOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: ObserveSettings;
}

export interface ObserveRequest extends FetchRequest {
  /** The caller leaves; whoever else waits for the same page is not disturbed. */
  readonly signal: AbortSignal;
}

export interface Observer {
  /**
   * What a page says: as it was fetched a short while ago, or as it is now.
   *
   * @param url - as asked for
   * @throws ServiceError fetch_budget_spent, network_unavailable, database_unavailable; the reason of `signal`
   */
  observe(url: string, request: ObserveRequest): Promise<Observation>;
  /** Ends the fetches under way, and resolves when they have ended. */
  close(): Promise<void>;
}

/** A caller waits at most this often for fetches of others whose result turns out not to do for it. */
const MAX_JOINS = 8;

/**
 * Sees to it that an address is fetched once at a time, on any number of nodes, and that everybody who asked
 * meanwhile gets that same observation. At one node, callers share a fetch; between nodes, the one that holds the
 * lease fetches and the others wait for what it records.
 */
export function createObserver(options: ObserverOptions): Observer {
  const { settings } = options;
  const inFlight = new Map<string, Promise<SharedResult>>();
  const stop = new AbortController();
  const permits = createFetchPermits(settings.concurrentFetches);
  const fetching = { ...options, permits, stop: stop.signal, loadReading: createReadingCache(options.db) };

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
      // what began after this request arrived has hardly ended yet; who takes the lease looks again
      if (request.since === undefined || join > 0) {
        const latest = await usableObservation(page, request, fetching);
        if (latest !== null) return latest;
      }
      const running = inFlight.get(page.key);
      const result = await unlessAborted(running ?? start(page, request), request.signal);
      if (!('refusal' in result)) {
        if (isUsable(result, request, settings)) return result;
        // that another caller's budget is spent says nothing about this one's
      } else if (running === undefined) throw result.refusal;
    }
    throw new ServiceError('fetch_budget_spent', { retryAfter: 1 });
  };

  return {
    async observe(url, request) {
      const page = pageAddress(url);
      if (page.kind === 'address') {
        // by the address that was fetched, with the caller's route: another spelling gets no other report
        const { observation } = await observeAddress(page, request);
        const asked = withRouteOf(page.url, url);
        return { ...observation, url: asked, finalUrl: withRouteOf(observation.finalUrl, asked) };
      }
      const asked = url.slice(0, MAX_SHOWN).toWellFormed();
      return { url: asked, finalUrl: asked, fetchedAt: options.clock().toISOString(), outcome: page };
    },
    async close() {
      stop.abort();
      await Promise.allSettled(inFlight.values());
    },
  };
}

/** Waits for something that goes on whether one waits or not. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
