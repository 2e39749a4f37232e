import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { KeyedHash } from '../crypto/keyed-hash.ts';
import { type Database, onlyRow } from './database.ts';

/** A counter, and its limit in any window. */
export interface RateBucket {
  readonly name: string | DailyName;
  readonly limit: number;
}

/** A name that is stored as a keyed hash, which is another one every day (UTC). */
export interface DailyName {
  /** For yesterday, today and tomorrow by the clock of this node; that of the database decides. */
  readonly names: readonly string[];
  /** The first of these days. */
  readonly since: string;
  /** Serialises the uses of all names of this counter; it is not stored. */
  readonly lock: string;
}

/** Dependencies for names that are nobody's business. */
export interface BucketNaming {
  readonly secrets: { readonly hash: KeyedHash };
  readonly clock: Clock;
}

const DAY = 86_400_000;

/**
 * The name of a counter of somebody: of a caller's address, or of a host that somebody asked for. Whoever has a copy of the
 * database cannot tell who it is, nor recognise them on the next day.
 *
 * @param kind - a constant: the visible beginning of the stored name
 */
export function dailyName({ secrets, clock }: BucketNaming, kind: string, value: string): DailyName {
  const days = [-1, 0, 1].map((ahead) =>
    new Date(clock().getTime() + ahead * DAY).toISOString().slice(0, 10),
  );
  const [since = ''] = days;
  return {
    names: days.map(
      (day) => `${kind}:${secrets.hash('rate windows', `${day} ${kind} ${value}`).toString('base64url')}`,
    ),
    since,
    lock: `counter of ${kind}: ${secrets.hash('locks of rate windows', `${kind} ${value}`).toString('base64url')}`,
  };
}

/** The stored name, as an expression; that of yesterday is carried over. */
function storedName(name: string | DailyName): RawBuilder<string> {
  if (typeof name === 'string') return sql`${name}::text`;
  const { names, since, lock } = name;
  return sql`bucket_of_day(${names}::text[], ${since}::date, ${lock}::text)`;
}

const storedNames = (budgets: readonly RateBucket[]) =>
  sql`array[${sql.join(budgets.map(({ name }) => storedName(name)))}]::text[]`;

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
    from count_hit(${storedName(bucket.name)}, ${bucket.limit}, make_interval(secs => ${window}))`.execute(
    db,
  );
  const row = onlyRow(rows);
  return { ...row, moment: Number(row.moment) };
}

/** Removes a hit that turned out not to count. */
export async function forgetHit(db: Database, { name }: RateBucket, { moment }: RateState): Promise<void> {
  // the name is determined once, not for each row
  await sql`
    with counted as materialized (select ${storedName(name)} as bucket)
    update rate_windows w set hits = array_remove(hits, timestamptz 'epoch' + ${moment}::bigint * interval '1 microsecond')
    from counted where w.bucket = counted.bucket`.execute(db);
}

/** A budget that is spent, and the seconds until it has been refilled enough. */
export interface SpentBudget {
  /** As stored. */
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
  const limits = budgets.map(({ limit }) => limit);
  return sql`spend_amount(
    ${storedNames(budgets)}, ${limits}::integer[], ${amount}::integer, make_interval(secs => ${window}))`;
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
  const limits = budgets.map(({ limit }) => limit);
  const { rows } = await sql<SpentRow>`
    select refused, reset
    from spend_budgets(${storedNames(budgets)}, ${limits}::integer[], make_interval(secs => ${window}))`.execute(
    db,
  );
  return refusalIn(rows[0], window);
}
