import { HASH_BYTES, type HashBytes } from './bytes.ts';
import { nodeHash } from './merkle.ts';
import { TILE_WIDTH, type Tile, type TileReader, tileWidth } from './tiles.ts';

/** A tile of hashes with its bytes. */
export interface TileBytes extends Tile {
  readonly level: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What continues a tree: its size, and the bytes of the partial tile of each level, empty where there is none. */
export interface TreeEdge {
  readonly size: number;
  readonly partialTiles: readonly Uint8Array[];
}

/** A tree that grows by leaves. It keeps one partial tile for each level and nothing else. */
export interface Tree {
  readonly size: number;
  /**
   * Appends a leaf by its hash.
   *
   * @returns the tiles that are full by it, from the lowest level up; most often none
   */
  append(leaf: Uint8Array): readonly TileBytes[];
  /** The partial tiles at this size, which may differ at the next. */
  partialTiles(): readonly TileBytes[];
  root(): Uint8Array;
  /** A copy of what `createTree` continues from. */
  edge(): TreeEdge;
}

/**
 * Creates a tree, or continues one.
 *
 * @throws RangeError if the partial tiles are not those of the size
 * @example
 * ```ts
 * import { createHash } from 'node:crypto';
 * import { createTree, leafHash } from '@touchstone/certificate/log';
 *
 * const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
 * const tree = createTree(sha256);
 * tree.append(leafHash(new TextEncoder().encode('one'), sha256));
 * tree.size; // 1
 * ```
 */
export function createTree(hash: HashBytes, edge: TreeEdge = { size: 0, partialTiles: [] }): Tree {
  let { size } = edge;
  const levels: Uint8Array<ArrayBuffer>[] = [];
  edge.partialTiles.forEach((bytes, level) => {
    levelAt(levels, level).set(bytes.subarray(0, widthAt(level) * HASH_BYTES));
    if (bytes.length < widthAt(level) * HASH_BYTES)
      throw new RangeError(`the partial tile of level ${level} is none of a tree of ${size} leaves`);
  });
  if (edge.partialTiles.length < levelsOf(size))
    throw new RangeError(`a tree of ${size} leaves has ${levelsOf(size)} levels of tiles`);

  function widthAt(level: number): number {
    return Math.floor(size / TILE_WIDTH ** level) % TILE_WIDTH;
  }

  function partialTiles(): TileBytes[] {
    return levels.flatMap((bytes, level) => {
      const width = widthAt(level);
      const n = Math.floor(size / TILE_WIDTH ** (level + 1));
      return width === 0 ? [] : [{ level, n, width, bytes: bytes.slice(0, width * HASH_BYTES) }];
    });
  }

  return {
    get size() {
      return size;
    },
    append(leaf) {
      if (leaf.length !== HASH_BYTES)
        throw new RangeError(`a leaf has ${HASH_BYTES} bytes, not ${leaf.length}`);
      const full: TileBytes[] = [];
      let added = leaf;
      for (let level = 0; ; level++) {
        const width = widthAt(level);
        const bytes = levelAt(levels, level);
        bytes.set(added, width * HASH_BYTES);
        if (width + 1 < TILE_WIDTH) break;
        const n = Math.floor(size / TILE_WIDTH ** (level + 1));
        full.push({ level, n, width: TILE_WIDTH, bytes: bytes.slice() });
        added = subtreeRoot(bytes, hash);
      }
      size++;
      return full;
    },
    partialTiles,
    root() {
      let root: Uint8Array | undefined;
      for (const { width, bytes } of partialTiles()) {
        // complete subtrees from right to left, the smallest first
        for (let end = width; end > 0; ) {
          const length = end & -end;
          const part = bytes.subarray((end - length) * HASH_BYTES, end * HASH_BYTES);
          const left = subtreeRoot(part, hash);
          root = root === undefined ? left : nodeHash(left, root, hash);
          end -= length;
        }
      }
      return root ?? hash(new Uint8Array());
    },
    edge: () => ({
      size,
      partialTiles: levels.map((bytes, level) => bytes.slice(0, widthAt(level) * HASH_BYTES)),
    }),
  };
}

/**
 * Reads what continues a tree of this size from its tiles.
 *
 * @example
 * ```ts
 * import { edgeFromTiles } from '@touchstone/certificate/log';
 *
 * const reader = { tile: async () => new Uint8Array(64), entries: async () => new Uint8Array() };
 * (await edgeFromTiles(reader, 2)).size; // 2
 * ```
 */
export async function edgeFromTiles(reader: TileReader, size: number): Promise<TreeEdge> {
  const partialTiles = Array.from({ length: levelsOf(size) }, (_, level) => {
    const n = Math.floor(size / TILE_WIDTH ** (level + 1));
    const width = tileWidth(level, n, size);
    return width === 0 ? Promise.resolve(new Uint8Array()) : reader.tile(level, n, width);
  });
  return { size, partialTiles: await Promise.all(partialTiles) };
}

/** Root of a complete subtree from its hashes of one level. */
function subtreeRoot(hashes: Uint8Array, hash: HashBytes): Uint8Array {
  if (hashes.length === HASH_BYTES) return hashes;
  const middle = hashes.length / 2;
  return nodeHash(
    subtreeRoot(hashes.subarray(0, middle), hash),
    subtreeRoot(hashes.subarray(middle), hash),
    hash,
  );
}

function levelsOf(size: number): number {
  let levels = 0;
  while (TILE_WIDTH ** levels <= size) levels++;
  return levels;
}

function levelAt(levels: Uint8Array<ArrayBuffer>[], level: number): Uint8Array<ArrayBuffer> {
  const bytes = levels[level] ?? new Uint8Array(TILE_WIDTH * HASH_BYTES);
  levels[level] = bytes;
  return bytes;
}
