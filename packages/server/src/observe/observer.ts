import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Observation } from '@touchstone/page';
import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import { spendFetch } from './budgets.ts';
import { type FetchLease, releaseLease, takeLease, whileHeld } from './fetch-lease.ts';
import { createFetchSlots } from './fetch-slots.ts';
import { latestObservation, recordObservation, type StoredObservation } from './observation-store.ts';
import { MAX_URL, type ObservedUrl, observedUrl } from './observed-url.ts';
import { type SeePageOptions, seePage } from './see-page.ts';
import type { ObserveSettings } from './settings.ts';

export interface ObserverOptions extends SeePageOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: ObserveSettings;
}

export interface ObserveRequest {
  /** Pays for the fetch, if there must be one. */
  readonly caller: string;
  /**
   * Only an observation whose fetch began at this moment or later will do (database time, microseconds since
   * 1970). Absent: any that is recent enough.
   */
  readonly since?: number;
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

/** Milliseconds between two looks at what another node is fetching. */
const POLL_EVERY = 100;
/** Milliseconds: two whole fetches, and the time to take over from a node that died. */
const MAX_WAIT = 30_000;
/** A caller joins flights that turn out not to do for it at most this often. */
const MAX_JOINS = 8;

/** What a flight comes back with: an observation, or that whoever started it could not pay for it. */
type Landing = StoredObservation | { readonly refusal: ServiceError };

/**
 * Sees to it that an address is fetched once at a time, on any number of nodes, and that everybody who asked
 * meanwhile gets that same observation (decision 17). At one node, callers share a flight; between nodes, the
 * flight that holds the lease fetches and the others wait for what it records.
 */
export function createObserver(options: ObserverOptions): Observer {
  const { db, settings } = options;
  const flights = new Map<string, Promise<Landing>>();
  const slots = createFetchSlots(settings.concurrentFetches);
  const stop = new AbortController();

  const fetchHolding = (target: ObservedUrl, request: ObserveRequest, lease: FetchLease) =>
    slots.run({ caller: request.caller, host: target.host }, async (): Promise<Landing> => {
      const latest = await latestObservation(db, target.key);
      if (latest !== null && isUsable(latest, request, settings)) {
        await releaseLease(db, lease);
        return latest;
      }
      try {
        await spendFetch(db, { caller: request.caller, host: target.host }, settings);
      } catch (refusal) {
        if (!isSpent(refusal)) throw refusal;
        await releaseLease(db, lease);
        return { refusal };
      }
      const seen = await seePage(target.href, options, stop.signal);
      const fetchedAt = new Date(lease.begun / 1_000).toISOString();
      const observation: Observation = { url: target.href, fetchedAt, ...seen };
      const stored = { observation, failed: seen.outcome.kind === 'failed', begun: lease.begun, age: 0 };
      await recordObservation(db, target, lease.holder, stored);
      return stored;
    });

  const fly = async (target: ObservedUrl, request: ObserveRequest): Promise<Landing> => {
    const holder = randomUUID();
    const giveUp = performance.now() + MAX_WAIT;
    for (;;) {
      const lease = await takeLease(db, target.key, holder);
      if (lease !== null) {
        return await whileHeld(db, lease, () => fetchHolding(target, request, lease)).catch(async (error) => {
          // a lease that cannot be given up expires by itself
          await releaseLease(db, lease).catch(() => {});
          throw error;
        });
      }
      await delay(POLL_EVERY, undefined, { signal: stop.signal });
      const latest = await latestObservation(db, target.key);
      if (latest !== null && isUsable(latest, request, settings)) return latest;
      if (performance.now() > giveUp) throw new ServiceError('network_unavailable', { retryAfter: 5 });
    }
  };

  const takeOff = (target: ObservedUrl, request: ObserveRequest): Promise<Landing> => {
    const flight = fly(target, request)
      .catch((error: unknown) => {
        throw stop.signal.aborted ? new ServiceError('shutting_down', { cause: error }) : error;
      })
      .finally(() => flights.delete(target.key));
    flights.set(target.key, flight);
    return flight;
  };

  return {
    async observe(url, request) {
      const target = observedUrl(url);
      if (target.kind === 'failed') {
        const told = url.slice(0, MAX_URL);
        return { url: told, finalUrl: told, fetchedAt: options.clock().toISOString(), outcome: target };
      }
      for (let join = 0; join < MAX_JOINS; join += 1) {
        const latest = await latestObservation(db, target.key);
        if (latest !== null && isUsable(latest, request, settings)) return asAsked(latest, url);
        if (stop.signal.aborted) throw new ServiceError('shutting_down');
        const running = flights.get(target.key);
        const landing = await leaving(running ?? takeOff(target, request), request.signal);
        // that another caller's budget is spent says nothing about this one's
        if ('refusal' in landing) {
          if (running === undefined) throw landing.refusal;
        } else if (isUsable(landing, request, settings)) return asAsked(landing, url);
      }
      throw new ServiceError('fetch_budget_spent', { retryAfter: 1 });
    },
    async close() {
      stop.abort();
      await Promise.allSettled(flights.values());
    },
  };
}

function isUsable(stored: StoredObservation, { since }: ObserveRequest, settings: ObserveSettings): boolean {
  if (since !== undefined) return stored.begun >= since;
  const { cacheSeconds, failedCacheSeconds } = settings;
  return stored.age <= (stored.failed ? Math.min(cacheSeconds, failedCacheSeconds) : cacheSeconds);
}

/** Told by the address that the caller gave, where several are fetched as one. */
function asAsked({ observation }: StoredObservation, url: string): Observation {
  return { ...observation, url };
}

function isSpent(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'fetch_budget_spent';
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
