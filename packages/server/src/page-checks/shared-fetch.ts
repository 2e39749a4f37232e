import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Observation } from '@touchstone/page';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import { spendFetch } from './fetch-budgets.ts';
import { type FetchLease, releaseLease, takeLease, whileHeld } from './fetch-lease.ts';
import type { FetchPermits } from './fetch-permits.ts';
import { latestObservation, recordObservation, type StoredObservation } from './observation-store.ts';
import { type SeePageOptions, seePage } from './observe-page.ts';
import type { ObservedUrl } from './observed-url.ts';
import type { ObserveSettings } from './settings.ts';

export interface FlightOptions extends SeePageOptions {
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
  const seen = await seePage({ href: target.href, caller: request.caller }, options, { signal });
  const fetchedAt = new Date(lease.begun / 1_000).toISOString();
  const observation: Observation = { url: target.href, fetchedAt, ...seen };
  const stored = { observation, failed: seen.outcome.kind === 'failed', begun: lease.begun, age: 0 };
  await recordObservation(db, target, lease.holder, stored);
  return stored;
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
