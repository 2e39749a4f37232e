import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { leafHash, nodeHash, rootOfInclusion, verifyConsistency } from './merkle.ts';
import { consistencyFromTiles, inclusionFromTiles, rootFromTiles } from './tile-proofs.ts';
import { decodeEntries, decodeTilePath, encodeEntries, encodeTilePath, newTiles } from './tiles.ts';
import { createTree, edgeFromTiles, type TileBytes } from './tree.ts';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const leafAt = (index: number) => leafHash(new TextEncoder().encode(`entry ${index}`), sha256);

/** As RFC 6962, section 2.1, defines it. */
function rootOf(leaves: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [only] = leaves;
  if (only === undefined) return sha256(new Uint8Array());
  if (leaves.length === 1) return only;
  let middle = 1;
  while (middle * 2 < leaves.length) middle *= 2;
  return nodeHash(rootOf(leaves.slice(0, middle)), rootOf(leaves.slice(middle)), sha256);
}

/** The tiles of a tree that grew to this size in steps, as a log writes them; a tile is never written twice with other bytes. */
function grown(size: number, step: number) {
  const tiles = new Map<string, Uint8Array>();
  const write = ({ bytes, ...tile }: TileBytes) => {
    const path = encodeTilePath(tile);
    expect(tiles.get(path) ?? bytes).toEqual(bytes);
    tiles.set(path, bytes);
  };
  let tree = createTree(sha256);
  const roots = new Map<number, Uint8Array>([[0, tree.root()]]);
  while (tree.size < size) {
    const before = tree.size;
    const full = new Set<string>();
    for (let i = 0; i < step && tree.size < size; i++) {
      for (const tile of tree.append(leafAt(tree.size))) {
        write(tile);
        full.add(encodeTilePath(tile));
      }
    }
    const written = [...full, ...tree.partialTiles().map((tile) => encodeTilePath(tile))];
    for (const tile of tree.partialTiles()) write(tile);
    // what must be written is told alike, but for partial tiles that did not change
    for (const tile of newTiles(before, tree.size)) expect(written).toContain(encodeTilePath(tile));
    roots.set(tree.size, tree.root());
    tree = createTree(sha256, tree.edge());
  }
  const read = async (path: string) => {
    const bytes = tiles.get(path);
    if (bytes === undefined) throw new Error(`there is no ${path}`);
    return bytes;
  };
  const reader = {
    tile: (level: number, n: number, width: number) => read(encodeTilePath({ level, n, width })),
    entries: () => Promise.reject(new Error('none')),
  };
  return { roots, reader };
}

describe('a tree', () => {
  it('has the roots of RFC 6962 at every size, however it grew', () => {
    const leaves = Array.from({ length: 70 }, (_, index) => leafAt(index));
    const { roots } = grown(70, 1);
    for (const [size, root] of roots) expect(root).toEqual(rootOf(leaves.slice(0, size)));
  });

  it('gives by its tiles alone every proof, and no proof of anything else', async () => {
    const { roots, reader } = grown(67_000, 997);
    const sizes = [...roots.keys()].filter((size) => size > 0);
    const to = sizes.at(-1) as number;
    const root = roots.get(to) as Uint8Array;
    expect(await rootFromTiles(reader, to, sha256)).toEqual(root);
    for (const from of sizes) {
      const proof = await consistencyFromTiles(reader, from, to, sha256);
      const head = { size: from, root: roots.get(from) as Uint8Array };
      expect(await verifyConsistency(head, { size: to, root }, proof, sha256)).toBe(true);
      expect(await verifyConsistency({ ...head, root }, { size: to, root }, proof, sha256)).toBe(from === to);
      const index = from - 1;
      const inclusion = await inclusionFromTiles(reader, index, to, sha256);
      expect(await rootOfInclusion(leafAt(index), index, to, inclusion, sha256)).toEqual(root);
      expect(await rootOfInclusion(leafAt(from), index, to, inclusion, sha256)).not.toEqual(root);
      expect(await rootOfInclusion(leafAt(index), index, to, inclusion.slice(1), sha256)).toBeNull();
    }
  });

  it('continues from its published tiles', async () => {
    const { roots, reader } = grown(66_000, 33_000);
    const tree = createTree(sha256, await edgeFromTiles(reader, 33_000));
    while (tree.size < 66_000) tree.append(leafAt(tree.size));
    expect(tree.root()).toEqual(roots.get(66_000));
  });

  it('is not continued from tiles of another size, nor by anything but a hash', () => {
    expect(() => createTree(sha256, { size: 3, partialTiles: [new Uint8Array(64)] })).toThrow(RangeError);
    expect(() => createTree(sha256, { size: 300, partialTiles: [new Uint8Array(44 * 32)] })).toThrow(
      RangeError,
    );
    expect(() => createTree(sha256).append(new Uint8Array(31))).toThrow(RangeError);
  });

  it('tells no proof for leaves and sizes that there are not, or from a tile that is cut off', async () => {
    const { reader } = grown(300, 300);
    for (const index of [-1, 300, 0.5])
      await expect(inclusionFromTiles(reader, index, 300, sha256)).rejects.toThrow(RangeError);
    for (const from of [0, 301])
      await expect(consistencyFromTiles(reader, from, 300, sha256)).rejects.toThrow(RangeError);
    const cut = { ...reader, tile: async () => new Uint8Array(31) };
    await expect(inclusionFromTiles(cut, 7, 300, sha256)).rejects.toThrow(RangeError);
  });
});

describe('paths and bundles', () => {
  it('are those of tlog-tiles, in one form only', () => {
    expect(encodeTilePath({ level: 3, n: 1_234_067, width: 256 })).toBe('tile/3/x001/x234/067');
    expect(decodeTilePath('tile/entries/x001/000.p/255')).toEqual({ level: 'entries', n: 1000, width: 255 });
    expect(decodeTilePath('tile/63/000')).toEqual({ level: 63, n: 0, width: 256 });
    const none = [
      '0/x000/001',
      '00/000',
      '64/000',
      '0/000.p/0',
      '0/000.p/256',
      '0/000.p/01',
      '0/00',
      '0/001/002',
    ];
    for (const path of [...none, '-1/000', '0/000/', 'data/000', `0/${'x999/'.repeat(6)}000`])
      expect(decodeTilePath(`tile/${path}`)).toBeNull();
  });

  it('list the tiles of a size, as tlog-tiles counts them', () => {
    const levels = (from: number, to: number) =>
      newTiles(from, to).map(({ level, n, width }) => `${level}/${n}/${width}`);
    expect(levels(0, 256)).toEqual(['0/0/256', '1/0/1']);
    expect(levels(69_999, 70_000)).toEqual(['0/273/112']);
    const all = newTiles(0, 70_000);
    expect(all.filter(({ level, width }) => level === 0 && width === 256)).toHaveLength(273);
    expect(all.slice(273).map(({ level, n, width }) => [level, n, width])).toEqual([
      [0, 273, 112],
      [1, 0, 256],
      [1, 1, 17],
      [2, 0, 1],
    ]);
  });

  it('keep entries of any length, and are not read if they are cut off', () => {
    const entries = [new Uint8Array(), new Uint8Array(65_535).fill(7), Uint8Array.of(1, 2, 3)];
    const bytes = encodeEntries(entries);
    expect(decodeEntries(bytes)).toEqual(entries);
    expect(decodeEntries(bytes.subarray(0, -1))).toBeNull();
    expect(decodeEntries(Uint8Array.of(0))).toBeNull();
    expect(() => encodeEntries([new Uint8Array(65_536)])).toThrow(RangeError);
  });
});
