import {
  createTree,
  encodeEntries,
  encodeTilePath,
  leafHash,
  TILE_WIDTH,
  type TileBytes,
} from '@touchstone/certificate/log';
import type { LogKeys } from '../../core/keys/open-log-keys.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import { lockFor } from '../../platform/database/locks.ts';
import { keyOfShard, readCheckpoint } from './checkpoints.ts';
import { readRange } from './leaf-table.ts';
import { LogRefusal } from './reconcile.ts';
import { sha256 } from './sha256.ts';
import { readShard, readShards, type Shard, type ShardId, shardName } from './shards.ts';
import type { TileStore } from './tile-store.ts';

export interface RepairOptions {
  readonly db: Database;
  readonly keys: LogKeys;
  /** By the name of the log. */
  readonly storeOf: (name: string) => TileStore;
}

/** Leaves that are read at once. */
const AT_ONCE = 16 * TILE_WIDTH;

/**
 * Compares every file of a log below its last checkpoint with what follows from its leaves in the database, and writes those again that are
 * missing or damaged. First all leaves must lead to the root that was signed: nothing is written otherwise.
 *
 * @returns the paths that were written
 * @throws LogRefusal if the leaves, or the checkpoint, are not those that the log has signed
 */
export async function repairFiles(options: RepairOptions, id: ShardId): Promise<readonly string[]> {
  const { db, keys, storeOf } = options;
  const name = shardName(id);
  const shard = await readShard(db, id);
  if (shard === undefined || shard.size === 0) return [];
  const key = await keyOfShard(keys, shard);
  const signed = key === null ? null : await readCheckpoint(shard.checkpoint ?? '', shard.origin, key);
  if (signed?.size !== shard.size)
    throw new LogRefusal(
      `the checkpoint of the log ${name} in the database is not one that its key has signed`,
    );
  const store = storeOf(name);
  const wrong = new Set<string>();
  const root = await forEachFile(db, shard, async (path, bytes) => {
    if (!(await hasFile(store, path, bytes))) wrong.add(path);
  });
  if (Buffer.compare(root, signed.root) !== 0)
    throw new LogRefusal(
      `the leaves of the log ${name} in the database do not have the root that was signed: its files are not made of them`,
    );
  if (wrong.size > 0)
    await forEachFile(db, shard, async (path, bytes) => {
      if (wrong.has(path)) await store.write(path, bytes);
    });
  if (await publishNewest(options, id)) wrong.add('checkpoint');
  return [...wrong];
}

/**
 * Publishes the last checkpoint again if its file is missing, or an older one: a process that had lost its lock has written it late.
 *
 * @returns whether it was
 */
export async function publishNewest({ db, keys, storeOf }: RepairOptions, id: ShardId): Promise<boolean> {
  const store = storeOf(shardName(id));
  const isOlder = async (shard: Shard) => {
    const key = await keyOfShard(keys, shard);
    // whoever can write to the database publishes nothing that the log has not signed
    if (
      key === null ||
      (await readCheckpoint(shard.checkpoint ?? '', shard.origin, key))?.size !== shard.size
    )
      return false;
    const note = await store.readCheckpoint();
    if (note === null) return true;
    const published = await readCheckpoint(note, shard.origin, key);
    // one that the log has not signed is not replaced silently
    return published !== null && published.size < shard.size;
  };
  const known = await readShard(db, id);
  if (known === undefined || !(await isOlder(known))) return false;
  return inTransaction(db, async (trx) => {
    await lockFor(trx, 'transparency log');
    const shard = await readShard(trx, id);
    if (shard?.checkpoint == null || !(await isOlder(shard))) return false;
    await store.writeCheckpoint(shard.checkpoint);
    return true;
  });
}

/** The same for all logs. */
export async function publishAllNewest(options: RepairOptions): Promise<void> {
  for (const shard of await readShards(options.db)) await publishNewest(options, shard);
}

/** @returns the root */
async function forEachFile(
  db: Database,
  shard: Shard,
  onFile: (path: string, bytes: Uint8Array) => Promise<void>,
): Promise<Uint8Array> {
  const tree = createTree(sha256);
  const onTiles = async (tiles: readonly TileBytes[]) => {
    for (const tile of tiles) await onFile(encodeTilePath(tile), tile.bytes);
  };
  for (let from = 0; from < shard.size; from += AT_ONCE) {
    const entries = await readRange(db, shard, from, Math.min(from + AT_ONCE, shard.size));
    if (entries.length < Math.min(AT_ONCE, shard.size - from))
      throw new LogRefusal(`leaves of the log ${shardName(shard)} are missing in the database`);
    for (let at = 0; at < entries.length; at += TILE_WIDTH) {
      const bundle = entries.slice(at, at + TILE_WIDTH);
      const n = (from + at) / TILE_WIDTH;
      for (const entry of bundle) await onTiles(tree.append(leafHash(entry, sha256)));
      const path = encodeTilePath({ level: 'entries', n, width: bundle.length });
      await onFile(path, encodeEntries(bundle));
    }
  }
  await onTiles(tree.partialTiles());
  return tree.root();
}

async function hasFile(store: TileStore, path: string, bytes: Uint8Array): Promise<boolean> {
  const found = await store.readFile(path);
  return found !== null && Buffer.compare(found, bytes) === 0;
}
