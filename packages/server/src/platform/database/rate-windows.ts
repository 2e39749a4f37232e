import { type RawBuilder, sql } from 'kysely';
import { type Database, onlyRow } from './database.ts';

/** A counter, and its limit in any window. */
export interface RateBucket {
  readonly name: string;
  readonly limit: number;
}

/** The result of one attempt. */
export interface RateState {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds until the oldest counted hit leaves the window. */
  readonly reset: number;
  /** The moment of the attempt by the database's clock, in microseconds since 1970. */
  readonly moment: number;
}

/**
 * Counts one hit if the limit allows it: never more than `limit` in any `window` seconds, exactly, on any number
 * of nodes. A refused attempt is not counted.
 */
export async function countHit(db: Database, bucket: RateBucket, window: number): Promise<RateState> {
  const { rows } = await sql<{ allowed: boolean; remaining: number; reset: number; moment: string }>`
    select allowed, remaining, reset, (extract(epoch from moment) * 1000000)::bigint::text as moment
    from count_hit(${bucket.name}, ${bucket.limit}, make_interval(secs => ${window}))`.execute(db);
  const row = onlyRow(rows);
  return { ...row, moment: Number(row.moment) };
}

/** Removes a hit that turned out not to count. */
export async function forgetHit(db: Database, name: string, { moment }: RateState): Promise<void> {
  await sql`
    update rate_windows set hits = array_remove(hits, timestamptz 'epoch' + ${moment}::bigint * interval '1 microsecond')
    where bucket = ${name}`.execute(db);
}

/** A budget that is spent, and the seconds until it has been refilled enough. */
export interface SpentBudget {
  readonly name: string;
  readonly reset: number;
}

/** The row of a statement that spends an amount. */
export interface SpentRow {
  readonly refused: string | null;
  readonly reset: number | null;
}

/**
 * A row of `refused` and `reset`, for the `from` of a statement that spends an amount from every budget, or from none when
 * one of them has not as much left. Budgets as of `spendBudgets`; an amount that is more than a whole budget is spent from a
 * full one.
 *
 * @param amount - an expression
 */
export function spendingOf(
  budgets: readonly RateBucket[],
  amount: RawBuilder<unknown>,
  window: number,
): RawBuilder<SpentRow> {
  const names = budgets.map(({ name }) => name);
  const limits = budgets.map(({ limit }) => limit);
  return sql`spend_amount(
    ${names}::text[], ${limits}::integer[], ${amount}::integer, make_interval(secs => ${window}))`;
}

/** The budget that was insufficient, and the seconds until it suffices; `null`: the amount was spent. */
export function refusalIn(row: SpentRow | undefined, window: number): SpentBudget | null {
  return typeof row?.refused === 'string' ? { name: row.refused, reset: row.reset ?? window } : null;
}

/**
 * Takes one token from every budget, or from none if one of them is empty. A budget holds at most `limit` tokens and is
 * refilled evenly over `window` seconds; the cost of a call does not depend on its size.
 *
 * @param budgets - in the same order for all callers, because their rows are locked in it
 * @returns the budget that is empty, or `null`
 */
export async function spendBudgets(
  db: Database,
  budgets: readonly RateBucket[],
  window: number,
): Promise<SpentBudget | null> {
  const names = budgets.map(({ name }) => name);
  const limits = budgets.map(({ limit }) => limit);
  const { rows } = await sql<SpentRow>`
    select refused, reset
    from spend_budgets(${names}::text[], ${limits}::integer[], make_interval(secs => ${window}))`.execute(db);
  return refusalIn(rows[0], window);
}
