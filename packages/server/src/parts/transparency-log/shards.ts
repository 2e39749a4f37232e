import { sql } from 'kysely';
import type { LogKeys } from '../../core/keys/open-log-keys.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { lockFor } from '../../platform/database/locks.ts';

/** The log of a year. */
export interface Shard {
  readonly year: number;
  readonly origin: string;
  /** The key that signs it, and no other log. */
  readonly kid: string;
  readonly opened_at: Date;
  /** Leaves that have a place. */
  readonly assigned: number;
  /** Leaves of the last checkpoint. */
  readonly size: number;
  readonly root: Buffer | null;
  readonly checkpoint: string | null;
  readonly published_at: Date | null;
  readonly partial_tiles: readonly string[];
  readonly witnessed: string | null;
  readonly witnessed_size: number;
  readonly cosignatures: string;
  readonly restored_at: Date | null;
  readonly refusal: string | null;
}

const COLUMNS = sql`year::int as year, origin, kid, opened_at, assigned::float8 as assigned, size::float8 as size, root, checkpoint,
  published_at, partial_tiles, witnessed, witnessed_size::float8 as witnessed_size, cosignatures, restored_at, refusal`;

export async function readShards(db: Database | DatabaseTransaction): Promise<Shard[]> {
  const { rows } = await sql<Shard>`select ${COLUMNS} from log_shards order by year`.execute(db);
  return rows;
}

export async function readShard(
  db: Database | DatabaseTransaction,
  year: number,
): Promise<Shard | undefined> {
  const { rows } = await sql<Shard>`select ${COLUMNS} from log_shards where year = ${year}::integer`.execute(
    db,
  );
  return rows[0];
}

/** The address of a log, without a final slash. */
export const logUrl = (baseUrl: string, year: number): string => `${baseUrl}/api/v1/mc4p/log/${year}`;

export interface ShardOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly keys: LogKeys;
  readonly baseUrl: string;
}

/**
 * Opens the logs of these years that there are not yet, each with a key of its own: a policy names no key twice. That of the next year is
 * opened long before its first leaf, so that policies that were copied by then know its key.
 */
export async function openShards(options: ShardOptions, years: readonly number[]): Promise<void> {
  const { db, clock, keys, baseUrl } = options;
  const missingIn = (shards: readonly Shard[]) =>
    years.filter((year) => !shards.some((shard) => shard.year === year)).toSorted((a, b) => a - b);
  if (missingIn(await readShards(db)).length === 0) return;
  await keys.rotate();
  const isComplete = await inTransaction(db, async (trx) => {
    await lockFor(trx, 'transparency log');
    const shards = await readShards(trx);
    const unused = (await keys.unrevoked()).filter(({ kid }) => !shards.some((shard) => shard.kid === kid));
    for (const year of missingIn(shards)) {
      const key = unused.shift();
      if (key === undefined) return false;
      const origin = logUrl(baseUrl, year).replace(/^https?:\/\//, '');
      await sql`insert into log_shards (year, origin, kid, opened_at)
        values (${year}::integer, ${origin}, ${key.kid}, ${clock()}::timestamptz)`.execute(trx);
    }
    return true;
  });
  if (!isComplete) throw new Error('no key is left for the transparency log of another year');
}
