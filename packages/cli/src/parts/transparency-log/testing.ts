import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  consistencyFromTiles,
  createTree,
  encodeEntries,
  encodeLeaf,
  encodeTilePath,
  formatCheckpoint,
  formatEndedLog,
  formatVkey,
  leafHash,
  type NoteSigner,
  type ProofLeaf,
  parseVkey,
  rootFromTiles,
  signNote,
  type TileReader,
  type TreeHead,
  tileWidth,
  vkeyOf,
} from '@touchstone/certificate/log';
import { sha256 } from './verified-tiles.ts';

/** For tests: when the keys of logs are revoked, in seconds since 1970. */
export const ENDED_AT = Date.UTC(2026, 10, 27) / 1000;

/** For tests: a key that signs notes. */
export interface TestKey {
  readonly vkey: string;
  readonly signer: NoteSigner;
}

/** For tests: an Ed25519 key, of a log unless another type is named. */
export async function testKey(name: string, type?: number): Promise<TestKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
  const key = await vkeyOf(name, raw, type);
  return {
    vkey: formatVkey(key),
    signer: { ...key, sign: (data) => new Uint8Array(sign(null, data, privateKey)) },
  };
}

/** For tests: a log in memory. */
export interface TestLog extends TestKey {
  readonly origin: string;
  readonly size: number;
  readonly tiles: TileReader;
  append(...entries: readonly Uint8Array[]): void;
  /** A signed checkpoint of this or an earlier size. */
  checkpoint(size?: number): Promise<string>;
  /** The body of add-checkpoint; `head` replaces the checkpoint's. */
  request(from: number, to?: number, head?: TreeHead): Promise<string>;
  /** The line of a policy, after its key was revoked: its last checkpoint is of the present size. */
  ended(witnessedSize?: number): Promise<string>;
  /** Writes the log as files, and returns how many. */
  writeTo(folder: string): Promise<number>;
}

/** For tests: an empty log; with the key of another, one that contradicts it. */
export async function testLog(origin: string, as?: TestKey): Promise<TestLog> {
  const { vkey, signer } = as ?? (await testKey(origin));
  const entries: Uint8Array[] = [];
  const levels: Uint8Array[][] = [[]];
  const tiles: TileReader = {
    tile: async (level, n, width) => Buffer.concat((levels[level] ?? []).slice(n * 256, n * 256 + width)),
    entries: async (n, width) => encodeEntries(entries.slice(n * 256, n * 256 + width)),
  };
  const signed = (head: TreeHead) => signNote(formatCheckpoint({ origin, ...head, extensions: [] }), signer);
  const checkpoint = async (size = entries.length) =>
    signed({ size, root: await rootFromTiles(tiles, size, sha256) });
  return {
    origin,
    vkey,
    signer,
    tiles,
    get size() {
      return entries.length;
    },
    append(...added) {
      for (const entry of added) {
        entries.push(entry);
        levels[0]?.push(leafHash(entry, sha256));
      }
      for (let level = 1; ; level++) {
        const below = levels[level - 1] ?? [];
        const hashes = levels[level] ?? [];
        levels[level] = hashes;
        if (hashes.length === Math.floor(below.length / 256)) break;
        while (hashes.length < Math.floor(below.length / 256)) {
          const part = createTree(sha256);
          for (const hash of below.slice(hashes.length * 256, hashes.length * 256 + 256)) part.append(hash);
          hashes.push(part.root());
        }
      }
    },
    checkpoint,
    async request(from, to = entries.length, head) {
      const proof = from === 0 || from === to ? [] : await consistencyFromTiles(tiles, from, to, sha256);
      const lines = [`old ${from}`, ...proof.map((hash) => Buffer.from(hash).toString('base64'))];
      return `${lines.join('\n')}\n\n${head === undefined ? await checkpoint(to) : await signed(head)}`;
    },
    async ended(witnessedSize = 0) {
      const own = await parseVkey(vkey);
      if (own === null) throw new Error(vkey);
      const size = entries.length;
      const root = await rootFromTiles(tiles, size, sha256);
      return formatEndedLog({ key: own, endedAt: ENDED_AT, size, root, witnessedSize });
    },
    async writeTo(folder) {
      const size = entries.length;
      const files = new Map([['checkpoint', Buffer.from(await checkpoint())]]);
      for (let level = 0; 256 ** level <= size; level++)
        for (let n = 0, width = tileWidth(level, n, size); width > 0; width = tileWidth(level, ++n, size)) {
          files.set(encodeTilePath({ level, n, width }), Buffer.from(await tiles.tile(level, n, width)));
          if (level === 0)
            files.set(
              encodeTilePath({ level: 'entries', n, width }),
              Buffer.from(await tiles.entries(n, width)),
            );
        }
      for (const [path, bytes] of files) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), bytes);
      }
      return files.size;
    },
  };
}

/** For tests: the leaf of a proof, by its number. */
export function testLeaf(number: number, members: Partial<ProofLeaf> = {}): Uint8Array {
  const hash = (text: string) => Buffer.from(sha256(Buffer.from(`${text} ${number}`))).toString('base64url');
  return encodeLeaf({
    kind: 'product',
    domain: 'other.example',
    iat: Date.UTC(2026, 5, 1) / 1000 + number,
    exp: Date.UTC(2026, 5, 8) / 1000 + number,
    kid: 'key-1',
    proof: hash('proof'),
    subject: hash('subject'),
    ...members,
  });
}
