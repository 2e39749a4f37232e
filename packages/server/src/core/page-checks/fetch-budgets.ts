import { RATE_WINDOW } from '@touchstone/contract';
import { type RawBuilder, sql } from 'kysely';
import {
  type BucketNaming,
  countHit,
  dailyName,
  type RateBucket,
  type RateState,
  refusalIn,
  type SpentRow,
  spendingOf,
} from '../../platform/database/rate-windows.ts';
import { ServiceError } from '../../platform/errors.ts';
import { merchantOfCaller } from '../../platform/limits/caller-network.ts';
import { type BudgetStorage, callerBudgets, secondsUntil } from '../../platform/limits/fetch-budgets.ts';
import { KEPT_WINDOW, type ObserveSettings } from './observe-settings.ts';
import type { PageText } from './page-texts.ts';

/** Limits of a caller that all keys of a merchant have together, which it makes itself. */
const KEYS_OF_MERCHANT = 3;

/**
 * Counts one `fresh` check of a caller (spec "Limits"), and of the merchant whose key it is.
 *
 * @throws ServiceError fresh_rate_limited, with the seconds to wait
 */
export async function spendFreshCheck(
  storage: BudgetStorage,
  caller: string,
  { freshPerCaller: limit }: ObserveSettings,
): Promise<RateState> {
  const count = (name: string, most: number) =>
    countHit(storage.db, { name: dailyName(storage, 'fresh', name), limit: most }, RATE_WINDOW);
  let state = await count(caller, limit);
  const merchant = merchantOfCaller(caller);
  if (state.allowed && merchant !== undefined) {
    const together = await count(merchant, KEYS_OF_MERCHANT * limit);
    if (!together.allowed) state = together;
  }
  if (state.allowed) return state;
  throw new ServiceError('fresh_rate_limited', {
    retryAfter: secondsUntil(state),
    rateLimit: { limit, remaining: 0, window: RATE_WINDOW, reset: state.reset },
  });
}

/** The largest `integer` of PostgreSQL. */
const MAX_BUDGET = 2_147_483_647;
/** The total budget, in budgets of one network. */
const NETWORKS = 16;

/** A caller for whom data is stored, with the settings of its budgets. */
export interface StorageUser {
  readonly naming: BucketNaming;
  readonly caller: string;
  readonly settings: ObserveSettings;
}

/**
 * The first parts of a `with` that stores data. `spent`, one row of `bytes`, `refused` and `reset`, charges the bytes to the
 * budgets; all parts that write must select `from spent where refused is null`. Otherwise many addresses, large pages, or pages
 * that keep changing could fill the disk.
 *
 * @param row - bytes besides the text, which costs nothing if it is stored already
 * @param user - `null` if the bytes were charged before
 */
export function spendStorage(
  row: number,
  text: PageText | null,
  user: StorageUser | null,
): RawBuilder<unknown> {
  const shared =
    text === null
      ? sql`0`
      : sql`case when exists (select from page_texts where digest = ${text.digest}) then 0
          else ${text.body.byteLength}::integer end`;
  const spending =
    user === null
      ? sql`(values (null::text, 0::double precision)) as nothing (refused, reset)`
      : spendingOf(storageBudgets(user), sql`bytes`, KEPT_WINDOW);
  return sql`
    amount as (select ${row}::integer + ${shared} as bytes),
    spent as materialized (select bytes, refused, reset from amount, ${spending})`;
}

/** `fetch_budget_spent` with the seconds to wait, if the row of `spent` shows a refusal; else `null`. */
export function storageRefusal(row: SpentRow | undefined): ServiceError | null {
  const spent = refusalIn(row, KEPT_WINDOW);
  if (spent === null) return null;
  const message =
    'The storage limit for reports of page checks is reached: wait as long as Retry-After says.';
  return new ServiceError('fetch_budget_spent', { message, retryAfter: secondsUntil(spent) });
}

function storageBudgets({ naming, caller, settings: { keptPerCaller: limit } }: StorageUser): RateBucket[] {
  return [
    ...callerBudgets(naming, 'kept', caller, limit),
    { name: 'kept:all', limit: Math.min(NETWORKS * limit, MAX_BUDGET) },
  ];
}
