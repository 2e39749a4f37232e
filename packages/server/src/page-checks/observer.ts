import type { Observation } from '@touchstone/page';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import { createFetchPermits } from './fetch-permits.ts';
import { latestObservation, type StoredObservation } from './observation-store.ts';
import { MAX_URL, type ObservedUrl, observedUrl } from './observed-url.ts';
import type { ObserveSettings } from './settings.ts';
import { type FlightRequest, fly, isUsable, type Landing, type ObservePageOptions } from './shared-fetch.ts';

export interface ObserverOptions extends ObservePageOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: ObserveSettings;
}

export interface ObserveRequest extends FlightRequest {
  /** The caller leaves; whoever else waits for the same page is not disturbed. */
  readonly signal: AbortSignal;
}

export interface Observer {
  /**
   * What a page says: as it was seen lately, or as it is now.
   *
   * @throws ServiceError fetch_budget_spent, network_unavailable, database_unavailable; the reason of `signal`
   */
  observe(url: string, request: ObserveRequest): Promise<Observation>;
  /** Ends the fetches under way, and resolves when they have ended. */
  close(): Promise<void>;
}

/** A caller joins flights that turn out not to do for it at most this often. */
const MAX_JOINS = 8;

/**
 * Sees to it that an address is fetched once at a time, on any number of nodes, and that everybody who asked
 * meanwhile gets that same observation (decision 17). At one node, callers share a flight; between nodes, the
 * flight that holds the lease fetches and the others wait for what it records.
 */
export function createObserver(options: ObserverOptions): Observer {
  const { db, settings } = options;
  const flights = new Map<string, Promise<Landing>>();
  const stop = new AbortController();
  const flightOptions = {
    ...options,
    permits: createFetchPermits(settings.concurrentFetches),
    stop: stop.signal,
  };

  const takeOff = (target: ObservedUrl, request: FlightRequest): Promise<Landing> => {
    if (stop.signal.aborted) throw new ServiceError('shutting_down');
    const flight = fly(target, request, flightOptions)
      .catch((error: unknown) => {
        throw stop.signal.aborted ? new ServiceError('shutting_down', { cause: error }) : error;
      })
      .finally(() => flights.delete(target.key));
    flights.set(target.key, flight);
    return flight;
  };

  const observeTarget = async (target: ObservedUrl, request: ObserveRequest): Promise<StoredObservation> => {
    for (let join = 0; join < MAX_JOINS; join += 1) {
      const latest = await latestObservation(db, target.key);
      if (latest !== null && isUsable(latest, request, settings)) return latest;
      const running = flights.get(target.key);
      const landing = await leaving(running ?? takeOff(target, request), request.signal);
      if (!('refusal' in landing)) {
        if (isUsable(landing, request, settings)) return landing;
        // that another caller's budget is spent says nothing about this one's
      } else if (running === undefined) throw landing.refusal;
    }
    throw new ServiceError('fetch_budget_spent', { retryAfter: 1 });
  };

  return {
    async observe(url, request) {
      const target = observedUrl(url);
      if (target.kind === 'url') {
        // told by the address that the caller gave, where several are fetched as one
        return { ...(await observeTarget(target, request)).observation, url };
      }
      const told = url.slice(0, MAX_URL);
      return { url: told, finalUrl: told, fetchedAt: options.clock().toISOString(), outcome: target };
    },
    async close() {
      stop.abort();
      await Promise.allSettled(flights.values());
    },
  };
}

/** Waits for something that goes on whether one waits or not. */
function leaving<T>(flight: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    flight.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
