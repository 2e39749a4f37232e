import { hash as cryptoHash } from 'node:crypto';
import { TILE_WIDTH, type TileReader, tileWidth } from '@touchstone/certificate/log';
import { LogContradiction } from './verified-tiles.ts';

/** Bundles that are read at the same time. */
const AHEAD = 8;

/** Consecutive entries of a log. */
export interface EntryBundle {
  readonly n: number;
  /** How many it has in the tree; at most 256. */
  readonly width: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each entry begins and ends. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Their leaf hashes, in a row. */
  readonly hashes: Uint8Array;
}

/**
 * The entry bundles of a log in order, some of them read ahead.
 *
 * @param from - the first entry that is wanted; its whole bundle is returned
 * @param size - of the tree
 * @throws LogContradiction if one is no bundle, or too short; whatever the reader throws
 */
export async function* entryBundles(
  reader: Pick<TileReader, 'entries'>,
  from: number,
  size: number,
): AsyncGenerator<EntryBundle, void, undefined> {
  const end = Math.ceil(size / TILE_WIDTH);
  const ahead: Promise<Uint8Array>[] = [];
  let asked = Math.floor(from / TILE_WIDTH);
  for (let n = asked; n < end; n++) {
    for (; asked < Math.min(n + AHEAD, end); asked++) {
      const bytes = reader.entries(asked, tileWidth(0, asked, size));
      // awaited in its turn
      bytes.catch(() => {});
      ahead.push(bytes);
    }
    const bytes = await ahead.shift();
    yield readBundle(n, tileWidth(0, n, size), new Uint8Array(bytes ?? []));
  }
}

function readBundle(n: number, width: number, bytes: Uint8Array<ArrayBuffer>): EntryBundle {
  const [starts, ends]: [number[], number[]] = [[], []];
  const hashes = new Uint8Array(width * 32);
  let at = 0;
  for (let index = 0; index < width; index++) {
    const start = at + 2;
    at = start + (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0));
    if (at > bytes.length) throw new LogContradiction(`Bundle ${n} has less than ${width} entries.`);
    starts.push(start);
    ends.push(at);
    // the prefix of a leaf (RFC 6962, section 2.1) in place of the second byte of its length, instead of a copy of the entry
    bytes[start - 1] = 0;
    hashes.set(cryptoHash('sha256', bytes.subarray(start - 1, at), 'buffer'), index * 32);
  }
  return { n, width, bytes, starts, ends, hashes };
}
