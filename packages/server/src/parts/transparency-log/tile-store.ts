import { encodeTilePath, TILE_WIDTH, type Tile, type TileReader } from '@touchstone/certificate/log';
import type { BlobStore } from '../../core/images/blobs/blob-store.ts';

/** The files of one log in the blob store, under the paths at which they are served. */
export interface TileStore extends TileReader {
  /** `null`: there is none. */
  read(path: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** The same from the blob store, whatever is in memory. */
  readFile(path: string): Promise<Uint8Array<ArrayBuffer> | null>;
  write(path: string, bytes: Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  /** The checkpoint as it was last published; `null`: none was. */
  readCheckpoint(): Promise<string | null>;
  writeCheckpoint(note: string): Promise<void>;
  hasCheckpoint(): Promise<boolean>;
}

/** Files kept in memory: tiles that proofs of new leaves need, what the next leaves are appended to, and some others. */
const KEPT = 64;
const HASH_BYTES = 32;
const CHECKPOINT = 'checkpoint';

/** @param name - of the log */
export function createTileStore(blobs: BlobStore, name: string): TileStore {
  const keyOf = (path: string) => `log/${name}/${path}`;
  const kept = new Map<string, Uint8Array<ArrayBuffer>>();
  const keep = (path: string, bytes: Uint8Array<ArrayBuffer>) => {
    // of the entries those that the next are appended to
    if (!path.startsWith('tile/') || (path.startsWith('tile/entries/') && !path.includes('.p/'))) return;
    kept.delete(path);
    kept.set(path, bytes);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(oldest);
    }
  };
  const readFile = async (path: string) => {
    if ((await blobs.size(keyOf(path))) === null) return null;
    const pieces: Uint8Array[] = [];
    for await (const piece of blobs.read(keyOf(path))) pieces.push(piece);
    return new Uint8Array(Buffer.concat(pieces));
  };
  const read = async (path: string) => {
    const known = kept.get(path);
    if (known !== undefined) return known;
    const bytes = await readFile(path);
    if (bytes !== null) keep(path, bytes);
    return bytes;
  };
  /** A partial tile may have been removed once the full one was there, which begins with the same bytes. */
  const readTile = async (tile: Tile) => {
    const bytes = await read(encodeTilePath(tile));
    const found =
      bytes === null && tile.width < TILE_WIDTH
        ? await read(encodeTilePath({ ...tile, width: TILE_WIDTH }))
        : bytes;
    if (found === null) throw new MissingTile(encodeTilePath(tile));
    return found;
  };
  return {
    tile: async (level, n, width) => (await readTile({ level, n, width })).subarray(0, width * HASH_BYTES),
    entries: (n, width) => readTile({ level: 'entries', n, width }),
    read,
    readFile,
    async write(path, bytes) {
      // not `put`, which takes a file of the same length for the same
      await blobs.replace(keyOf(path), bytes);
      keep(path, new Uint8Array(bytes));
    },
    async remove(path) {
      kept.delete(path);
      await blobs.remove(keyOf(path));
    },
    async readCheckpoint() {
      const bytes = await read(CHECKPOINT);
      return bytes === null ? null : Buffer.from(bytes).toString('utf8');
    },
    hasCheckpoint: async () => (await blobs.size(keyOf(CHECKPOINT))) !== null,
    writeCheckpoint: (note) => blobs.replace(keyOf(CHECKPOINT), Buffer.from(note)),
  };
}

/** A file that a checkpoint needs is not in the blob store. */
export class MissingTile extends Error {
  override readonly name = 'MissingTile';
  constructor(path: string) {
    super(`the file ${path} of the transparency log is missing`);
  }
}
