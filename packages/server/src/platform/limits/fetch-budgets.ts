import { RATE_WINDOW } from '@touchstone/contract';
import type { Database } from '../database/database.ts';
import { type BucketNaming, dailyName, type RateBucket, spendBudgets } from '../database/rate-windows.ts';
import { ServiceError } from '../errors.ts';
import { networkOfCaller } from './caller-network.ts';

/** Where budgets are counted: callers and hosts only as keyed hashes. */
export interface BudgetStorage extends BucketNaming {
  readonly db: Database;
}

/** Fetches in any minute. */
export interface FetchBudgets {
  /** For one caller; the same for all callers of one network, and for all keys of one merchant. */
  readonly fetchesPerCaller: number;
  /** From one host, for all callers. */
  readonly fetchesPerHost: number;
  /** Of the whole service, over all nodes. */
  readonly fetchesInAll: number;
}

/**
 * Spends one network fetch that a caller causes from all its budgets or from none.
 *
 * @throws ServiceError fetch_budget_spent, with the seconds to wait
 */
export async function spendFetch(
  storage: BudgetStorage,
  { caller, host }: { readonly caller: string; readonly host: string },
  budgets: FetchBudgets,
): Promise<void> {
  // always locked in this order; the row that all share comes last, so that it is locked for the shortest time
  const spent = await spendBudgets(
    storage.db,
    [
      ...callerBudgets(storage, 'fetch', caller, budgets.fetchesPerCaller),
      { name: dailyName(storage, 'fetch:host', host), limit: budgets.fetchesPerHost },
      { name: 'fetch:all', limit: budgets.fetchesInAll },
    ],
    RATE_WINDOW,
  );
  if (spent !== null) throw new ServiceError('fetch_budget_spent', { retryAfter: secondsUntil(spent) });
}

/** The budget of the caller, and that of all callers of its network, or all keys of its merchant. */
export function callerBudgets(
  naming: BucketNaming,
  what: string,
  caller: string,
  limit: number,
): RateBucket[] {
  const network = networkOfCaller(caller);
  const bucketOf = (whose: string) => ({ name: dailyName(naming, `${what}:caller`, whose), limit });
  return network === caller ? [bucketOf(caller)] : [bucketOf(caller), bucketOf(network)];
}

export function secondsUntil({ reset }: { readonly reset: number }): number {
  return Math.max(1, Math.ceil(reset));
}
