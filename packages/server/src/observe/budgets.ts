import { ServiceError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import { networkOfCaller } from './fetch-slots.ts';
import { countHit, type RateState, spendBudgets } from './rate-windows.ts';
import { type ObserveSettings, RATE_WINDOW } from './settings.ts';

/**
 * Counts one `fresh` check of a caller (spec "Limits").
 *
 * @throws ServiceError fresh_rate_limited, with the seconds to wait
 */
export async function spendFreshCheck(
  db: Database,
  caller: string,
  { freshPerCaller: limit }: ObserveSettings,
): Promise<RateState> {
  const state = await countHit(db, { name: `fresh:${caller}`, limit }, RATE_WINDOW);
  if (state.allowed) return state;
  throw new ServiceError('fresh_rate_limited', {
    retryAfter: secondsUntil(state),
    rateLimit: { limit, remaining: 0, window: RATE_WINDOW, reset: state.reset },
  });
}

/**
 * Spends one network fetch, from all its budgets or from none (decision 18).
 *
 * @throws ServiceError fetch_budget_spent, with the seconds to wait
 */
export async function spendFetch(
  db: Database,
  { caller, host }: { readonly caller: string; readonly host: string },
  settings: ObserveSettings,
): Promise<void> {
  const network = networkOfCaller(caller);
  // rows are locked in this order by everyone: the one that all share comes last, and is held the shortest
  const spent = await spendBudgets(
    db,
    [
      { name: `fetch:caller:${caller}`, limit: settings.fetchesPerCaller },
      ...(network === caller ? [] : [{ name: `fetch:caller:${network}`, limit: settings.fetchesPerCaller }]),
      { name: `fetch:host:${host}`, limit: settings.fetchesPerHost },
      { name: 'fetch:all', limit: settings.fetchesInAll },
    ],
    RATE_WINDOW,
  );
  if (spent !== null) throw new ServiceError('fetch_budget_spent', { retryAfter: secondsUntil(spent) });
}

function secondsUntil({ reset }: { readonly reset: number }): number {
  return Math.max(1, Math.ceil(reset));
}
