/** Hashes of a full tile. */
export const TILE_WIDTH = 256;

/** The largest entry of a bundle, in bytes. */
const MAX_ENTRY = 0xffff;

/** A tile of hashes, or the entries of a tile of level 0 (tlog-tiles). */
export interface Tile {
  /** 0 to 63: its hashes are of 256^level leaves each. */
  readonly level: number | 'entries';
  /** From 0, within the level. */
  readonly n: number;
  /** 1 to 256 hashes or entries; less than 256: a partial tile. */
  readonly width: number;
}

/** Where tiles are read from. A reader may return the full tile for a partial one, which begins with the same bytes. */
export interface TileReader {
  tile(level: number, n: number, width: number): Promise<Uint8Array>;
  entries(n: number, width: number): Promise<Uint8Array>;
}

/**
 * The path of a tile below the prefix of its log.
 *
 * @example
 * ```ts
 * import { encodeTilePath } from '@touchstone/certificate/log';
 *
 * encodeTilePath({ level: 0, n: 1_234_067, width: 256 }); // 'tile/0/x001/x234/067'
 * encodeTilePath({ level: 'entries', n: 0, width: 7 }); // 'tile/entries/000.p/7'
 * ```
 */
export function encodeTilePath({ level, n, width }: Tile): string {
  const digits = String(n);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const last = groups.length - 1;
  const path = groups.map((group, at) => (at < last ? `x${group}` : group)).join('/');
  return `tile/${level}/${path}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

/**
 * Reads the path of a tile.
 *
 * @returns `null` unless it is one that `encodeTilePath` returns
 * @example
 * ```ts
 * import { decodeTilePath } from '@touchstone/certificate/log';
 *
 * decodeTilePath('tile/0/x001/234'); // { level: 0, n: 1234, width: 256 }
 * ```
 */
export function decodeTilePath(path: string): Tile | null {
  const match = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path);
  if (!match) return null;
  const [, level = '', groups = '', partial] = match;
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    n: Number(groups.replace(/[x/]/g, '')),
    width: partial === undefined ? TILE_WIDTH : Number(partial),
  };
  const isInRange =
    (tile.level === 'entries' || tile.level < 64) && Number.isSafeInteger(tile.n) && tile.width >= 1;
  return isInRange && encodeTilePath(tile) === path ? tile : null;
}

/**
 * How many hashes a tile has in a tree of this size; 0: the tree has no such tile. Entry bundles have the widths of level 0.
 *
 * @param size - of the tree, in leaves
 * @example
 * ```ts
 * import { tileWidth } from '@touchstone/certificate/log';
 *
 * tileWidth(0, 1, 300); // 44
 * ```
 */
export function tileWidth(level: number, n: number, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** level) - n * TILE_WIDTH;
  return Math.min(Math.max(hashes, 0), TILE_WIDTH);
}

/**
 * The tiles of hashes that a tree needs which it did not need when it was smaller, from the lowest level up. The entry bundles are those
 * of level 0.
 *
 * @param from - the smaller size, in leaves; 0: all tiles
 * @example
 * ```ts
 * import { newTiles } from '@touchstone/certificate/log';
 *
 * newTiles(0, 257).map(({ level, n, width }) => [level, n, width]); // [[0, 0, 256], [0, 1, 1], [1, 0, 1]]
 * ```
 */
export function newTiles(from: number, to: number): readonly (Tile & { readonly level: number })[] {
  const tiles: (Tile & { readonly level: number })[] = [];
  for (let level = 0; TILE_WIDTH ** level <= to; level++) {
    const before = Math.floor(from / TILE_WIDTH ** level);
    const hashes = Math.floor(to / TILE_WIDTH ** level);
    if (before === hashes) continue;
    for (let n = Math.floor(before / TILE_WIDTH); n * TILE_WIDTH < hashes; n++)
      tiles.push({ level, n, width: tileWidth(level, n, to) });
  }
  return tiles;
}

/**
 * Makes an entry bundle: each entry with its length before it.
 *
 * @throws RangeError for an entry of more than 65,535 bytes
 * @example
 * ```ts
 * import { encodeEntries } from '@touchstone/certificate/log';
 *
 * [...encodeEntries([Uint8Array.of(7)])]; // [0, 1, 7]
 * ```
 */
export function encodeEntries(entries: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(entries.reduce((length, entry) => length + 2 + entry.length, 0));
  let at = 0;
  for (const entry of entries) {
    if (entry.length > MAX_ENTRY)
      throw new RangeError(`an entry has ${entry.length} bytes, more than ${MAX_ENTRY}`);
    bytes[at++] = entry.length >> 8;
    bytes[at++] = entry.length;
    bytes.set(entry, at);
    at += entry.length;
  }
  return bytes;
}

/**
 * Reads an entry bundle. The entries are views of its bytes.
 *
 * @returns `null` if it is cut off
 * @example
 * ```ts
 * import { decodeEntries } from '@touchstone/certificate/log';
 *
 * decodeEntries(Uint8Array.of(0, 1, 7))?.map((entry) => [...entry]); // [[7]]
 * ```
 */
export function decodeEntries(bytes: Uint8Array): readonly Uint8Array[] | null {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at + 2;
    const end = start + (((bytes[at] as number) << 8) | (bytes[at + 1] ?? 0));
    if (start > bytes.length || end > bytes.length) return null;
    entries.push(bytes.subarray(start, end));
    at = end;
  }
  return entries;
}
