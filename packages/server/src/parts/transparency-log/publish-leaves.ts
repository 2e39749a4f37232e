import {
  encodeEntries,
  encodeTilePath,
  leafHash,
  TILE_WIDTH,
  type TileBytes,
} from '@touchstone/certificate/log';
import { sql } from 'kysely';
import type { LogKeys } from '../../core/keys/open-log-keys.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { lockFor } from '../../platform/database/locks.ts';
import { mapConcurrently } from '../../platform/map-concurrently.ts';
import { signCheckpoint, vkeyOfLog } from './checkpoints.ts';
import { indexDomains } from './domain-runs.ts';
import { assignPlaces, readRange } from './leaf-table.ts';
import { type LogEdge, LogRefusal, reconcile } from './reconcile.ts';
import { publishNewest } from './repair-files.ts';
import { sha256 } from './sha256.ts';
import { readOpenShard, readShard, type ShardId, shardName } from './shards.ts';
import type { TileStore } from './tile-store.ts';

export interface PublishingOptions {
  readonly db: Database;
  readonly keys: LogKeys;
  /** By the name of the log. */
  readonly storeOf: (name: string) => TileStore;
  /** Called between the steps, so that tests can end a process there. */
  readonly onStep?: (step: PublishingStep) => void;
  /** Called in the transaction that records leaves as published. */
  readonly onPublished?: (trx: DatabaseTransaction, published: PublishedLeaves) => Promise<void>;
  /** The database had forgotten what was published. */
  readonly onRestored: (name: string, leaves: number) => void;
}

/** Leaves that were published together. */
export interface PublishedLeaves {
  readonly shard: ShardId;
  /** The place of the first. */
  readonly first: number;
  readonly entries: readonly Uint8Array[];
}

export type PublishingStep = 'assigned' | 'tiles' | 'checkpoint' | 'recorded';

/** Leaves of one checkpoint. */
export const AT_ONCE = 4_096;
/** Files written concurrently. */
const CONCURRENT = 8;

/**
 * Publishes the leaves of a log that wait, up to some thousands, in three steps after each of which the process may end: their places are
 * recorded; the files that they change are written, always the same bytes under a path; the checkpoint is signed, published, then
 * recorded. One process at a time does it; whatever another has left behind is continued first.
 *
 * @returns how many got a place, or had one; as many as one checkpoint takes: more may be waiting
 */
export async function publishLeaves(options: PublishingOptions, year: number): Promise<number> {
  const { db, onStep = () => {} } = options;
  const [shard, assigned] = await inTransaction(db, async (trx) => {
    await lockFor(trx, 'transparency log');
    const found = await readOpenShard(trx, year);
    if (found === undefined) throw new Error(`there is no log of ${year} that grows`);
    // what a process left that has ended is published before more gets a place
    return [found, found.assigned > found.size ? AT_ONCE : await assignPlaces(trx, found, AT_ONCE)];
  });
  onStep('assigned');
  const outdated = await db
    .transaction()
    .execute(async (trx) => {
      await lockFor(trx, 'transparency log');
      return publishAssigned(trx, options, shard);
    })
    .catch(async (error: unknown) => {
      // without the connection the lock is gone, and another process may have published more before our file got its name
      await publishNewest(options, shard).catch(() => {});
      throw error;
    });
  onStep('recorded');
  await mapConcurrently(
    outdated,
    () => CONCURRENT,
    (path) => options.storeOf(shardName(shard)).remove(path),
  );
  return assigned;
}

/** @returns the paths of partial tiles that are of no more use */
async function publishAssigned(
  trx: DatabaseTransaction,
  { keys, storeOf, onStep = () => {}, onPublished, onRestored }: PublishingOptions,
  id: ShardId,
): Promise<readonly string[]> {
  const name = shardName(id);
  const known = await readShard(trx, id);
  // another node has ended it meanwhile
  if (known === undefined || known.ended_at !== null) throw new LogOver(name);
  const store = storeOf(name);
  const found = (await keys.list()).find(({ kid }) => kid === known.kid);
  if (found === undefined || found.revokedAt !== undefined) throw new LogOver(name);
  const key = await vkeyOfLog(known.origin, found);
  const { edge, shard, restored } = await reconcile(trx, known, store, key);
  if (restored > 0) onRestored(name, restored);
  if (shard.assigned === shard.size) return [];
  const next = shardName({ ...id, number: id.number + 1 });
  if (await storeOf(next).hasCheckpoint())
    throw new LogRefusal(
      `the log ${name} had ended, and ${next} followed it: the database was restored to a time before the key ${known.kid} was revoked; revoke it again`,
    );
  const entries = await readRange(trx, shard, shard.size, Math.min(shard.assigned, shard.size + AT_ONCE));
  const files = append(edge, entries);
  await mapConcurrently(
    files,
    () => CONCURRENT,
    ({ path, bytes }) => store.write(path, bytes),
  );
  onStep('tiles');
  const head = { size: edge.tree.size, root: new Uint8Array(edge.tree.root()) };
  const note = await signCheckpoint(keys, shard, head);
  if (note === null) throw new LogOver(name);
  // whoever has lost the lock publishes nothing
  await sql`select`.execute(trx);
  await store.writeCheckpoint(note);
  onStep('checkpoint');
  const { partial, outdated } = sortPartial(
    [...shard.partial_tiles, ...files.map(({ path }) => path)],
    head.size,
  );
  await sql`
    update log_shards set size = ${head.size}::bigint, root = ${Buffer.from(head.root)}, checkpoint = ${note},
      published_at = now(), partial_tiles = ${partial}::text[], cosignatures = '', refusal = null
    where year = ${id.year}::integer and number = ${id.number}::integer`.execute(trx);
  await indexDomains(trx, id, shard.size, head.size);
  await onPublished?.(trx, { shard: id, first: shard.size, entries });
  return outdated;
}

interface LogFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Appends entries to the tree. @returns the files that are new by them */
function append(edge: LogEdge, entries: readonly Uint8Array<ArrayBuffer>[]): LogFile[] {
  const files: LogFile[] = [];
  const addTiles = (tiles: readonly TileBytes[]) => {
    for (const tile of tiles) files.push({ path: encodeTilePath(tile), bytes: tile.bytes });
  };
  let bundle = [...edge.entries];
  const addBundle = (n: number) =>
    files.push({
      path: encodeTilePath({ level: 'entries', n, width: bundle.length }),
      bytes: encodeEntries(bundle),
    });
  const before = edge.tree.size;
  for (const entry of entries) {
    const n = Math.floor(edge.tree.size / TILE_WIDTH);
    bundle.push(entry);
    addTiles(edge.tree.append(leafHash(entry, sha256)));
    if (bundle.length < TILE_WIDTH) continue;
    addBundle(n);
    bundle = [];
  }
  if (bundle.length > 0) addBundle(Math.floor(edge.tree.size / TILE_WIDTH));
  // a partial tile of a higher level is new only where a full one below it was added
  addTiles(edge.tree.partialTiles().filter(({ level }) => isNew(level, before, edge.tree.size)));
  edge.entries = bundle;
  return files;
}

const isNew = (level: number, before: number, size: number) =>
  Math.floor(before / TILE_WIDTH ** level) !== Math.floor(size / TILE_WIDTH ** level);

/** Which partial tiles are still part of the tree's right edge, and which have a full one now. */
function sortPartial(paths: readonly string[], size: number): { partial: string[]; outdated: string[] } {
  const sorted = { partial: [] as string[], outdated: [] as string[] };
  for (const path of paths) {
    const [, level, groups = ''] = /^tile\/(\w+)\/(.*)\.p\/\d+$/.exec(path) ?? [];
    if (level === undefined) continue;
    const n = Number(groups.replace(/[x/]/g, ''));
    const covered = TILE_WIDTH ** (level === 'entries' ? 1 : Number(level) + 1);
    sorted[(n + 1) * covered <= size ? 'outdated' : 'partial'].push(path);
  }
  return sorted;
}

/** The key of a log was revoked, or is not there: the log has to end. */
export class LogOver extends Error {
  override readonly name = 'LogOver';
  constructor(log: string) {
    super(`the key of the log ${log} signs no more`);
  }
}

/** The years of which leaves wait for their place, or for a checkpoint. */
export async function yearsWaiting(db: Database): Promise<number[]> {
  const { rows } = await sql<{ year: number }>`
    select year::int as year from log_shards s
    where ended_at is null
      and (assigned > size or exists (select from log_leaves l where l.year = s.year and l.index is null)) order by year`.execute(
    db,
  );
  return rows.map(({ year }) => year);
}
