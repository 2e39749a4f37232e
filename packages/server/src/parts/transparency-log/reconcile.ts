import {
  createTree,
  decodeEntries,
  edgeFromTiles,
  leafHash,
  parseLeaf,
  TILE_WIDTH,
  type Tree,
  type Vkey,
} from '@touchstone/certificate/log';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { readCheckpoint } from './checkpoints.ts';
import { indexDomains } from './domain-runs.ts';
import { adoptLeaves, takePlacesBack } from './leaf-table.ts';
import { domainKey } from './leaves.ts';
import { sha256 } from './sha256.ts';
import { type Shard, type ShardId, shardName } from './shards.ts';
import type { TileStore } from './tile-store.ts';

/** What the next leaves are appended to: the tree, and the entries of its last bundle if that is partial. */
export interface LogEdge {
  readonly tree: Tree;
  entries: readonly Uint8Array[];
}

/** Nothing may be signed: what was published contradicts what is known. An operator has to look at it. */
export class LogRefusal extends Error {
  override readonly name = 'LogRefusal';
}

export interface Reconciled {
  readonly edge: LogEdge;
  /** Leaves that were published and that the database had forgotten. */
  readonly restored: number;
  readonly shard: Shard;
}

/**
 * What is published decides: the larger of the checkpoints in the blob store and in the database. One that the database does not know is
 * replayed from the entry bundles, whose root has to be that which was signed: the service was killed before it recorded it, or the
 * database was restored to an earlier time.
 *
 * @throws LogRefusal if that cannot be
 */
export async function reconcile(
  trx: DatabaseTransaction,
  shard: Shard,
  store: TileStore,
  key: Vkey,
): Promise<Reconciled> {
  const reading = readEdge(store, shard);
  // what the checkpoint says is told first
  reading.catch(() => {});
  const note = await store.readCheckpoint();
  const published = note === null ? null : await readCheckpoint(note, shard.origin, key);
  if (note !== null && published === null)
    throw new LogRefusal(`the published checkpoint of the log ${shardName(shard)} is not signed by its key`);
  const edge = await reading;
  if (published === null || published.size < shard.size) {
    await publishAgain(store, shard, key);
    return { edge, restored: 0, shard };
  }
  if (published.size === shard.size) {
    requireRoot(edge.tree, published.root, shard);
    return { edge, restored: 0, shard };
  }
  return takeOver(trx, { shard, store, edge, published, note: note as string });
}

/** The published checkpoint was lost, or replaced by an older one: that of the database is published again, if the log has signed it. */
async function publishAgain(store: TileStore, shard: Shard, key: Vkey): Promise<void> {
  if (shard.checkpoint === null && shard.size === 0) return;
  const recorded = await readCheckpoint(shard.checkpoint ?? '', shard.origin, key);
  if (recorded?.size !== shard.size || Buffer.compare(recorded.root, shard.root ?? Buffer.alloc(0)) !== 0)
    throw new LogRefusal(
      `the checkpoint of the log ${shardName(shard)} in the database is not one that its key has signed`,
    );
  await store.writeCheckpoint(shard.checkpoint as string);
}

/** Reads what the next leaves are appended to from the files, and compares it with the checkpoint that the database knows. */
async function readEdge(store: TileStore, { size, root, ...id }: Shard): Promise<LogEdge> {
  const tree = createTree(sha256, await edgeFromTiles(store, size));
  if (root !== null) requireRoot(tree, root, id);
  return { tree, entries: await lastEntries(store, tree) };
}

async function lastEntries(store: TileStore, tree: Tree): Promise<readonly Uint8Array[]> {
  const width = tree.size % TILE_WIDTH;
  if (width === 0) return [];
  const entries = await entriesOf(store, Math.floor(tree.size / TILE_WIDTH), width);
  const tile = tree.partialTiles().find(({ level }) => level === 0);
  const hashes = entries.map((entry) => leafHash(new Uint8Array(entry), sha256));
  if (tile === undefined || Buffer.compare(Buffer.concat(hashes), tile.bytes) !== 0)
    throw new LogRefusal('the last entries of the log are not those of its tiles');
  return entries;
}

async function entriesOf(store: TileStore, n: number, width: number): Promise<readonly Uint8Array[]> {
  const entries = decodeEntries(await store.entries(n, width))?.slice(0, width);
  if (entries?.length !== width) throw new LogRefusal(`entry bundle ${n} of the log is cut off`);
  return entries;
}

function requireRoot(tree: Tree, root: Uint8Array, id: ShardId): void {
  if (Buffer.compare(tree.root(), root) !== 0)
    throw new LogRefusal(
      `the log ${shardName(id)} has another root at ${tree.size} leaves than was signed: whatever is signed now would fork it`,
    );
}

interface TakingOver {
  readonly shard: Shard;
  readonly store: TileStore;
  readonly edge: LogEdge;
  readonly published: { readonly size: number; readonly root: Uint8Array };
  readonly note: string;
}

async function takeOver(
  trx: DatabaseTransaction,
  { shard, store, edge, published, note }: TakingOver,
): Promise<Reconciled> {
  let restored = 0;
  let entries = edge.entries;
  for (let n = Math.floor(shard.size / TILE_WIDTH); n * TILE_WIDTH < published.size; n += 1) {
    const first = n * TILE_WIDTH;
    entries = await entriesOf(store, n, Math.min(TILE_WIDTH, published.size - first));
    const fresh = entries.slice(Math.max(0, shard.size - first)).map((entry) => new Uint8Array(entry));
    const from = edge.tree.size;
    for (const entry of fresh) edge.tree.append(leafHash(entry, sha256));
    if (restored === 0 && (await areThere(trx, shard, from, fresh))) continue;
    if (restored === 0) await takePlacesBack(trx, shard, from);
    restored += fresh.length;
    await adoptLeaves(
      trx,
      shard,
      fresh.map((entry, at) => placed(entry, from + at)),
    );
  }
  requireRoot(edge.tree, published.root, shard);
  if (published.size % TILE_WIDTH === 0) entries = [];
  const assigned = restored === 0 ? Math.max(shard.assigned, published.size) : published.size;
  await sql`
    update log_shards set size = ${published.size}::bigint, root = ${Buffer.from(published.root)}, checkpoint = ${note},
      assigned = ${assigned}::bigint, cosignatures = '', partial_tiles = '{}',
      restored_at = case when ${restored > 0} then now() else restored_at end
    where year = ${shard.year}::integer and number = ${shard.number}::integer`.execute(trx);
  await indexDomains(trx, shard, shard.size, published.size);
  return {
    edge: { tree: edge.tree, entries },
    restored,
    shard: { ...shard, size: published.size, root: Buffer.from(published.root), checkpoint: note, assigned },
  };
}

/** Whether the database has these leaves in these places: then it was only not recorded that they were published. */
async function areThere(
  trx: DatabaseTransaction,
  { year, number }: ShardId,
  from: number,
  entries: readonly Uint8Array[],
): Promise<boolean> {
  const { rows } = await sql<{ leaf: string }>`
    select leaf from log_leaves where year = ${year}::integer and number = ${number}::integer and index >= ${from}::bigint
      and index < ${from + entries.length}::bigint order by index`.execute(trx);
  return (
    rows.length === entries.length &&
    rows.every(({ leaf }, at) => Buffer.from(leaf).equals(Buffer.from(entries[at] ?? new Uint8Array())))
  );
}

/** A published leaf; of another kind than proofs, it is found by its hash. */
function placed(entry: Uint8Array, index: number) {
  const leaf = parseLeaf(entry);
  return {
    proof:
      leaf === null ? sha256(new Uint8Array(entry)) : new Uint8Array(Buffer.from(leaf.proof, 'base64url')),
    index,
    domainKey: leaf?.domain === undefined ? '' : domainKey(leaf.domain),
    leaf: Buffer.from(entry).toString('utf8'),
  };
}
