import { type AnyHash, HASH_BYTES } from './bytes.ts';
import { nodeHash } from './merkle.ts';
import { TILE_WIDTH, type TileReader, tileWidth } from './tiles.ts';

/** Leaves from `start` to before `end`. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the inclusion proof of a leaf from tiles. Nothing is authenticated by this: `rootOfInclusion` does that.
 *
 * @param index - of the leaf, from 0
 * @param size - of the tree, in leaves
 * @throws RangeError if the tree has no such leaf, or a tile is too short; whatever the reader throws
 * @example
 * ```ts
 * import { inclusionFromTiles, webCryptoHash } from '@touchstone/certificate/log';
 *
 * const reader = { tile: async () => new Uint8Array(64), entries: async () => new Uint8Array() };
 * (await inclusionFromTiles(reader, 0, 2, webCryptoHash)).length; // 1
 * ```
 */
export async function inclusionFromTiles(
  reader: TileReader,
  index: number,
  size: number,
  hash: AnyHash,
): Promise<readonly Uint8Array[]> {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size)
    throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
  const siblings: Range[] = [];
  for (let { start, end }: Range = { start: 0, end: size }; end - start > 1; ) {
    const middle = start + largestPowerBelow(end - start);
    siblings.unshift(index < middle ? { start: middle, end } : { start, end: middle });
    if (index < middle) end = middle;
    else start = middle;
  }
  return hashesOf(reader, siblings, size, hash);
}

/**
 * Reads a consistency proof from tiles (RFC 6962, section 2.1.2). Nothing is authenticated by this: `verifyConsistency` does that.
 *
 * @param from - size of the smaller tree, at least 1
 * @param to - size of the larger tree
 * @throws RangeError for sizes that have no proof, or if a tile is too short; whatever the reader throws
 * @example
 * ```ts
 * import { consistencyFromTiles, webCryptoHash } from '@touchstone/certificate/log';
 *
 * const reader = { tile: async () => new Uint8Array(64), entries: async () => new Uint8Array() };
 * (await consistencyFromTiles(reader, 1, 2, webCryptoHash)).length; // 1
 * ```
 */
export async function consistencyFromTiles(
  reader: TileReader,
  from: number,
  to: number,
  hash: AnyHash,
): Promise<readonly Uint8Array[]> {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 1 || from > to)
    throw new RangeError(`there is no consistency proof from ${from} to ${to} leaves`);
  const nodes: Range[] = [];
  let [start, end] = [0, to];
  // down the larger tree, until what remains is a whole subtree of the smaller one
  while (end !== from) {
    const middle = start + largestPowerBelow(end - start);
    nodes.unshift(from <= middle ? { start: middle, end } : { start, end: middle });
    if (from <= middle) end = middle;
    else start = middle;
  }
  // which the verifier knows if it is the whole smaller tree
  if (start > 0) nodes.unshift({ start, end });
  return hashesOf(reader, nodes, to, hash);
}

/**
 * Reads the root of a tree from tiles.
 *
 * @param size - in leaves
 * @example
 * ```ts
 * import { rootFromTiles, webCryptoHash } from '@touchstone/certificate/log';
 *
 * const reader = { tile: async () => new Uint8Array(64), entries: async () => new Uint8Array() };
 * (await rootFromTiles(reader, 2, webCryptoHash)).length; // 32
 * ```
 */
export async function rootFromTiles(reader: TileReader, size: number, hash: AnyHash): Promise<Uint8Array> {
  if (size === 0) return hash(new Uint8Array());
  const [root] = await hashesOf(reader, [{ start: 0, end: size }], size, hash);
  return root as Uint8Array;
}

/** The hashes of ranges of leaves; each tile is read once. */
async function hashesOf(
  reader: TileReader,
  ranges: readonly Range[],
  size: number,
  hash: AnyHash,
): Promise<Uint8Array[]> {
  const tiles = new Map<string, Promise<Uint8Array>>();
  const tileAt = (level: number, n: number) => {
    const key = `${level}/${n}`;
    const known = tiles.get(key) ?? readTile(reader, level, n, tileWidth(level, n, size));
    tiles.set(key, known);
    return known;
  };
  return Promise.all(ranges.map((range) => hashOf(range, tileAt, hash)));
}

type TileAt = (level: number, n: number) => Promise<Uint8Array>;

async function hashOf({ start, end }: Range, tileAt: TileAt, hash: AnyHash): Promise<Uint8Array> {
  const length = end - start;
  const left = largestPowerBelow(length);
  // of two leaves or more that are no complete subtree
  if (length > 1 && left * 2 !== length) {
    const halves = [
      { start, end: start + left },
      { start: start + left, end },
    ].map((range) => hashOf(range, tileAt, hash));
    const [first, second] = (await Promise.all(halves)) as [Uint8Array, Uint8Array];
    return nodeHash(first, second, hash);
  }
  const height = Math.log2(length);
  const level = Math.floor(height / 8);
  const first = start / TILE_WIDTH ** level;
  const n = Math.floor(first / TILE_WIDTH);
  const tile = await tileAt(level, n);
  const at = (first - n * TILE_WIDTH) * HASH_BYTES;
  return subtreeRoot(tile.subarray(at, at + 2 ** (height % 8) * HASH_BYTES), hash);
}

/** Root of a complete subtree from its hashes of one level. */
async function subtreeRoot(hashes: Uint8Array, hash: AnyHash): Promise<Uint8Array> {
  if (hashes.length === HASH_BYTES) return hashes;
  const middle = hashes.length / 2;
  const left = await subtreeRoot(hashes.subarray(0, middle), hash);
  return nodeHash(left, await subtreeRoot(hashes.subarray(middle), hash), hash);
}

async function readTile(reader: TileReader, level: number, n: number, width: number): Promise<Uint8Array> {
  const bytes = await reader.tile(level, n, width);
  if (bytes.length < width * HASH_BYTES)
    throw new RangeError(`tile ${n} of level ${level} has ${bytes.length} bytes, less than ${width} hashes`);
  return bytes;
}

/** The largest power of two below a number; 0 below 2. */
function largestPowerBelow(value: number): number {
  if (value < 2) return 0;
  let power = 1;
  while (power * 2 < value) power *= 2;
  return power;
}
