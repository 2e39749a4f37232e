import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts';

/** Which log. */
export interface ShardId {
  readonly year: number;
  /** 1, or the next of the year after a log has ended. */
  readonly number: number;
}

/** The log of a year, or of what was left of the year when the one before it ended. */
export interface Shard extends ShardId {
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
  /** When its key was revoked; it does not grow any more. */
  readonly ended_at: Date | null;
}

const COLUMNS = sql`year::int as year, number::int as number, origin, kid, opened_at, assigned::float8 as assigned, size::float8 as size,
  root, checkpoint, published_at, partial_tiles, witnessed, witnessed_size::float8 as witnessed_size, cosignatures, restored_at, refusal,
  ended_at`;

/** All logs, also those that ended. */
export async function readShards(db: Database | DatabaseTransaction): Promise<Shard[]> {
  const { rows } = await sql<Shard>`select ${COLUMNS} from log_shards order by year, number`.execute(db);
  return rows;
}

export async function readShard(
  db: Database | DatabaseTransaction,
  { year, number }: ShardId,
): Promise<Shard | undefined> {
  const { rows } = await sql<Shard>`
    select ${COLUMNS} from log_shards where year = ${year}::integer and number = ${number}::integer`.execute(
    db,
  );
  return rows[0];
}

/** The log of a year that grows. */
export async function readOpenShard(
  db: Database | DatabaseTransaction,
  year: number,
): Promise<Shard | undefined> {
  const { rows } = await sql<Shard>`
    select ${COLUMNS} from log_shards where year = ${year}::integer and ended_at is null`.execute(db);
  return rows[0];
}

/** The last part of the address of a log: `2026`, or `2026-2`. */
export const shardName = ({ year, number }: ShardId): string =>
  number === 1 ? String(year) : `${year}-${number}`;

/** @returns `null` for what `shardName` does not return */
export function parseShardName(name: string): ShardId | null {
  const [, year = '', number = '1'] = /^(\d{4})(?:-(\d{1,3}))?$/.exec(name) ?? [];
  const id = { year: Number(year), number: Number(number) };
  return shardName(id) === name ? id : null;
}

/** The address of a log, without a final slash. */
export const logUrl = (baseUrl: string, id: ShardId): string => `${baseUrl}/api/v1/mc4p/log/${shardName(id)}`;
