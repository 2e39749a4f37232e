import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { LogKey, LogKeys } from '../../core/keys/open-log-keys.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { lockFor } from '../../platform/database/locks.ts';
import { readCheckpoint, vkeyOfLog } from './checkpoints.ts';
import { takePlacesBack } from './leaf-table.ts';
import { reconcile } from './reconcile.ts';
import { logUrl, readShards, type Shard, type ShardId, shardName } from './shards.ts';
import type { TileStore } from './tile-store.ts';

export interface ShardOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly keys: LogKeys;
  readonly baseUrl: string;
  /** By the name of the log. */
  readonly storeOf: (name: string) => TileStore;
  /** The database had forgotten what was published. */
  readonly onRestored: (name: string, leaves: number) => void;
}

/** The root of a tree without leaves. */
export const EMPTY_ROOT = createHash('sha256').digest();

/**
 * Opens the logs of these years of which none grows, each with a key of its own: a policy names no key twice. That of the next year is
 * opened long before its first leaf, so that policies that were copied by then know its key.
 */
export async function openShards(options: ShardOptions, years: readonly number[]): Promise<void> {
  const before = await readShards(options.db);
  if (yearsWithout(before, years).length === 0) return;
  await options.keys.rotate(before.length + years.length);
  await inTransaction(options.db, async (trx) => {
    await lockFor(trx, 'transparency log');
    const shards = await readShards(trx);
    for (const year of yearsWithout(shards, years)) shards.push(await openShard(trx, options, shards, year));
  });
}

/**
 * Ends each log that can no longer be signed, since its key was revoked or lost, and opens its successor, of another origin and key. What was
 * published last stays its last checkpoint; leaves after it get a place in the successor.
 *
 * @throws LogRefusal, or MissingTile, if what was published cannot be read, or contradicts what is known
 */
export async function endShards(options: ShardOptions): Promise<void> {
  const { db, keys, clock } = options;
  const overIn = async (shards: readonly Shard[]) => {
    const known = await keys.list();
    const keyOf = ({ kid }: Shard) => known.find((key) => key.kid === kid);
    const over = shards.filter((shard) => shard.ended_at === null && !isUsable(keyOf(shard)));
    return over.map((shard) => ({ shard, key: keyOf(shard) }));
  };
  const before = await readShards(db);
  const { length } = await overIn(before);
  if (length === 0) return;
  await keys.rotate(before.length + length);
  await inTransaction(db, async (trx) => {
    await lockFor(trx, 'transparency log');
    const shards = await readShards(trx);
    for (const { shard, key } of await overIn(shards)) {
      const { year, number } = shard;
      const size = key === undefined ? shard.size : await lastSize(trx, options, shard, key);
      await takePlacesBack(trx, shard, size);
      await sql`
        update log_shards set ended_at = ${key?.revokedAt ?? clock()}::timestamptz, assigned = size, refusal = null
        where year = ${year}::integer and number = ${number}::integer`.execute(trx);
      shards.push(await openShard(trx, options, shards, year));
    }
  });
}

const isUsable = (key: LogKey | undefined): boolean => key !== undefined && key.revokedAt === undefined;

/** Leaves of the last checkpoint that was published, perhaps by a process that was killed before it recorded it. */
async function lastSize(
  trx: DatabaseTransaction,
  { storeOf, onRestored }: ShardOptions,
  known: Shard,
  key: LogKey,
): Promise<number> {
  const name = shardName(known);
  const { shard, restored } = await reconcile(trx, known, storeOf(name), await vkeyOfLog(known.origin, key));
  if (restored > 0) onRestored(name, restored);
  return shard.size;
}

const yearsWithout = (shards: readonly Shard[], years: readonly number[]): number[] =>
  [...new Set(years)]
    .filter((year) => !shards.some((shard) => shard.year === year && shard.ended_at === null))
    .toSorted((a, b) => a - b);

async function openShard(
  trx: DatabaseTransaction,
  options: ShardOptions,
  shards: readonly Shard[],
  year: number,
): Promise<Shard> {
  const unused = (await options.keys.unrevoked()).filter(({ kid }) => !shards.some((one) => one.kid === kid));
  const last = shards.findLast((shard) => shard.year === year)?.number ?? 0;
  const { id, key } = await freeLog(options, unused, { year, number: last + 1 });
  if (key === undefined) throw new Error('no key is left for another transparency log');
  const origin = originOf(options, id);
  await sql`insert into log_shards (year, number, origin, kid, opened_at)
    values (${year}::integer, ${id.number}::integer, ${origin}, ${key.kid}, ${options.clock()}::timestamptz)`.execute(
    trx,
  );
  const opened = (await readShards(trx)).find((shard) => shard.year === year && shard.number === id.number);
  if (opened === undefined) throw new Error(`the log ${shardName(id)} was not opened`);
  return opened;
}

const originOf = ({ baseUrl }: ShardOptions, id: ShardId): string =>
  logUrl(baseUrl, id).replace(/^https?:\/\//, '');

/**
 * The next log of which nothing was published; or, if the database was restored to a time before it was opened, one that one of these keys has
 * signed. One that no key of ours has signed cannot be continued.
 */
async function freeLog(
  options: ShardOptions,
  unused: readonly LogKey[],
  { year, number: first }: ShardId,
): Promise<{ readonly id: ShardId; readonly key: LogKey | undefined }> {
  for (let number = first; ; number += 1) {
    const id = { year, number };
    const note = await options.storeOf(shardName(id)).readCheckpoint();
    if (note === null) return { id, key: unused[0] };
    const origin = originOf(options, id);
    for (const key of unused)
      if ((await readCheckpoint(note, origin, await vkeyOfLog(origin, key))) !== null) return { id, key };
  }
}
