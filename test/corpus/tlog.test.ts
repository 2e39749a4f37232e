import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type Checkpoint,
  consistencyFromTiles,
  decodeEntries,
  encodeTilePath,
  inclusionFromTiles,
  leafHash,
  type Note,
  parseCheckpoint,
  parseNote,
  parseVkey,
  rootFromTiles,
  rootOfInclusion,
  type TileReader,
  type Vkey,
  verifyConsistency,
  verifyNote,
} from '@touchstone/certificate/log';
import { describe, expect, it } from 'vitest';

const CORPORA = process.env.TOUCHSTONE_CORPORA ?? resolve(import.meta.dirname, '../../../shared/corpora');
const MERKLE = join(CORPORA, 'tlog/merkle');
const TESSERA = join(CORPORA, 'tlog/tessera-log');

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const bytesOf = (base64: string | null) => new Uint8Array(Buffer.from(base64 ?? '', 'base64'));

/** The JSON files of a folder of cases, by path. */
function casesIn<T>(folder: string): readonly (T & { readonly path: string })[] {
  const path = join(MERKLE, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ path: name, ...JSON.parse(readFileSync(join(path, name), 'utf8')) }));
}

interface Inclusion {
  readonly leafIdx: number;
  readonly treeSize: number;
  readonly root: string;
  readonly leafHash: string;
  readonly proof: readonly string[] | null;
  readonly wantErr: boolean;
}

interface Consistency {
  readonly size1: number;
  readonly size2: number;
  readonly root1: string;
  readonly root2: string;
  readonly proof: readonly string[] | null;
  readonly wantErr: boolean;
}

// the cases of subtrees belong to a later draft, which logs of proofs do not use
describe.skipIf(!existsSync(MERKLE))("the cases of transparency-dev's merkle", () => {
  it('of inclusion are each accepted or refused as they say', async () => {
    const cases = casesIn<Inclusion>('inclusion');
    expect(cases.length).toBeGreaterThan(90);
    for (const { path, leafIdx, treeSize, root, leafHash: leaf, proof, wantErr } of cases) {
      const hashes = (proof ?? []).map(bytesOf);
      const found = await rootOfInclusion(bytesOf(leaf), leafIdx, treeSize, hashes, sha256);
      expect([path, found !== null && Buffer.from(found).equals(bytesOf(root))]).toEqual([path, !wantErr]);
    }
  });

  it('of consistency are each accepted or refused as they say', async () => {
    const cases = casesIn<Consistency>('consistency');
    expect(cases.length).toBeGreaterThan(90);
    for (const { path, size1, size2, root1, root2, proof, wantErr } of cases) {
      const [from, to] = [
        { size: size1, root: bytesOf(root1) },
        { size: size2, root: bytesOf(root2) },
      ] as const;
      const isConsistent = await verifyConsistency(from, to, (proof ?? []).map(bytesOf), sha256);
      expect([path, isConsistent]).toEqual([path, !wantErr]);
    }
  });
});

/** The key of the test log, by which Tessera signed its checkpoints. */
const TESSERA_KEY = 'example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx';

describe.skipIf(!existsSync(TESSERA))('the log that Tessera wrote', () => {
  const read = (path: string) => new Uint8Array(readFileSync(join(TESSERA, path)));
  const reader: TileReader = {
    tile: async (level, n, width) => read(encodeTilePath({ level, n, width })),
    entries: async (n, width) => read(encodeTilePath({ level: 'entries', n, width })),
  };
  const checkpointAt = async (size: number) => {
    const note = parseNote(readFileSync(join(TESSERA, `checkpoint.${size}`), 'utf8')) as Note;
    const key = (await parseVkey(TESSERA_KEY)) as Vkey;
    expect(await verifyNote(note, [key])).toMatchObject([{ key: { name: 'example.com/log/testdata' } }]);
    return parseCheckpoint(note.text) as Checkpoint;
  };

  it('has checkpoints, tiles and entries that agree at each size', async () => {
    const last = await checkpointAt(15);
    for (let size = 1; size <= 15; size++) {
      const head = await checkpointAt(size);
      expect(head.size).toBe(size);
      expect(await rootFromTiles(reader, size, sha256)).toEqual(head.root);
      const entries = decodeEntries(await reader.entries(0, size)) ?? [];
      expect(entries).toHaveLength(size);
      const proof = await consistencyFromTiles(reader, size, 15, sha256);
      expect(await verifyConsistency(head, last, proof, sha256)).toBe(true);
      for (const [index, entry] of entries.entries()) {
        const hashes = await inclusionFromTiles(reader, index, size, sha256);
        const root = await rootOfInclusion(leafHash(entry, sha256), index, size, hashes, sha256);
        expect(root).toEqual(head.root);
      }
    }
  });
});
