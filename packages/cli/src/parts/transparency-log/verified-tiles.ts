import { hash as cryptoHash } from 'node:crypto';
import {
  createTree,
  edgeFromTiles,
  TILE_WIDTH,
  type TileReader,
  type TreeHead,
} from '@touchstone/certificate/log';

/** Bytes of a hash. */
const HASH = 32;

/** Something that a log serves contradicts what it has signed. */
export class LogContradiction extends Error {
  override readonly name = 'LogContradiction';
}

/** SHA-256. */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(cryptoHash('sha256', bytes, 'buffer'));
}

/**
 * The tiles of a log, each compared with the root of its checkpoint before it is returned: a tile must hash to its entry in the tile above it,
 * and those at the right edge, together, to the root.
 */
export class VerifiedTiles implements Pick<TileReader, 'tile'> {
  readonly #reader: TileReader;
  readonly #head: TreeHead;
  readonly #edge: readonly Uint8Array[];
  /** The latest full tile of each level: they are read in order. */
  readonly #latest = new Map<number, { readonly n: number; readonly bytes: Uint8Array }>();

  private constructor(reader: TileReader, head: TreeHead, edge: readonly Uint8Array[]) {
    this.#reader = reader;
    this.#head = head;
    this.#edge = edge;
  }

  /** @throws LogContradiction if the tiles do not have this root; whatever the reader throws */
  static async open(reader: TileReader, head: TreeHead): Promise<VerifiedTiles> {
    const edge = await edgeFromTiles(reader, head.size);
    let root: Uint8Array;
    try {
      root = createTree(sha256, edge).root();
    } catch (error) {
      throw new LogContradiction(`The tiles are not those of ${head.size} entries.`, { cause: error });
    }
    if (Buffer.compare(root, head.root) !== 0)
      throw new LogContradiction(`The tiles of ${head.size} entries do not have the root of the checkpoint.`);
    return new VerifiedTiles(reader, head, edge.partialTiles);
  }

  /** A tile of the tree, or a longer one that begins with it. */
  async tile(level: number, n: number): Promise<Uint8Array> {
    if (n === Math.floor(this.#head.size / TILE_WIDTH ** (level + 1)))
      return this.#edge[level] ?? new Uint8Array();
    const known = this.#latest.get(level);
    if (known?.n === n) return known.bytes;
    const bytes = await this.#reader.tile(level, n, TILE_WIDTH);
    const isRight =
      bytes.length === TILE_WIDTH * HASH &&
      Buffer.compare(rootOfTile(new Uint8Array(bytes)), await this.hashAt(level + 1, n)) === 0;
    if (!isRight) throw new LogContradiction(`Tile ${n} of level ${level} is not that of the checkpoint.`);
    this.#latest.set(level, { n, bytes });
    return bytes;
  }

  /** The hash of this index at a level of tiles, which are every eighth level of the tree. */
  async hashAt(level: number, index: number): Promise<Uint8Array> {
    const n = Math.floor(index / TILE_WIDTH);
    const at = (index - n * TILE_WIDTH) * HASH;
    return (await this.tile(level, n)).subarray(at, at + HASH);
  }

  /**
   * Compares the entries of a bundle with the tree.
   *
   * @param hashes - the leaf hashes of the bundle, as many as it has in this tree; overwritten
   * @throws LogContradiction
   */
  async assertBundle(n: number, hashes: Uint8Array): Promise<void> {
    const isFull = hashes.length === TILE_WIDTH * HASH;
    const expected = isFull ? await this.hashAt(1, n) : (await this.tile(0, n)).subarray(0, hashes.length);
    if (Buffer.compare(isFull ? rootOfTile(hashes) : hashes, expected) !== 0)
      throw new LogContradiction(`The entries of bundle ${n} are not those of the checkpoint.`);
  }
}

/** The root of the hashes of a whole tile. They are overwritten, which takes a third less time than a copy of each node. */
function rootOfTile(hashes: Uint8Array): Uint8Array {
  const node = new Uint8Array(1 + 2 * HASH);
  node[0] = 1;
  for (let width = hashes.length; width > HASH; width /= 2)
    for (let at = 0; at < width; at += 2 * HASH) {
      node.set(hashes.subarray(at, at + 2 * HASH), 1);
      hashes.set(cryptoHash('sha256', node, 'buffer'), at / 2);
    }
  return hashes.subarray(0, HASH);
}
