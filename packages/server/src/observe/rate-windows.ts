import { sql } from 'kysely';
import type { Database } from '../storage/database.ts';

/** One thing that is counted: at most `limit` hits of it in any window. */
export interface RateBucket {
  readonly name: string;
  readonly limit: number;
}

/** What one attempt came to. */
export interface RateState {
  readonly allowed: boolean;
  /** The bucket that tells the rest: the full one, else the first of those asked for. */
  readonly bucket: RateBucket;
  readonly remaining: number;
  /** Seconds until the oldest counted hit leaves the window. */
  readonly reset: number;
  /** The moment of the attempt by the database's clock, in microseconds since 1970. */
  readonly moment: number;
}

/**
 * Counts one hit in every bucket, or in none when one of them is full. Exact on any number of nodes: rows are
 * locked while they are counted, and the moments are the database's. A refused attempt is not counted.
 *
 * @param window - seconds, the same for all buckets
 */
export async function countHit(
  db: Database,
  buckets: readonly [RateBucket, ...RateBucket[]],
  window: number,
): Promise<RateState> {
  const names = buckets.map(({ name }) => name);
  const limits = buckets.map(({ limit }) => limit);
  const { rows } = await sql<{ refused: string | null; counted: number; reset: number; moment: string }>`
    select refused, counted, reset, (extract(epoch from moment) * 1000000)::bigint::text as moment
    from count_hits(${names}::text[], ${limits}::integer[], make_interval(secs => ${window}))`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('count_hits answers one row');
  const bucket = buckets.find(({ name }) => name === row.refused) ?? buckets[0];
  return {
    allowed: row.refused === null,
    bucket,
    remaining: Math.max(0, bucket.limit - row.counted),
    reset: row.reset,
    moment: Number(row.moment),
  };
}
