import { entryAt, STATUS_LIST_SIZE } from '@touchstone/certificate/withdrawal';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  changeEntry,
  compressEntries,
  countEntries,
  decompressEntries,
  type EntryValue,
  INVALID,
  mergeEntries,
  noEntries,
  SUSPENDED,
  VALID,
} from './entries.ts';

const indices = fc.integer({ min: 0, max: 63 });
const values = fc.constantFrom<EntryValue>(VALID, INVALID, SUSPENDED);
const changes = fc.array(fc.tuple(indices, values), { maxLength: 200 });

it('what is invalid stays so, whatever follows; all else is as it was last set', () => {
  fc.assert(
    fc.property(changes, (sequence) => {
      const entries = noEntries();
      const expected = new Map<number, number>();
      for (const [index, value] of sequence) {
        const before = expected.get(index) ?? VALID;
        expect(changeEntry(entries, index, value)).toBe(before !== INVALID && before !== value);
        if (before !== INVALID) expected.set(index, value);
      }
      for (let index = 0; index < 64; index += 1)
        expect(entryAt(entries, index)).toBe(expected.get(index) ?? VALID);
    }),
  );
});

it('merged lists call invalid what either does, and the rest as the newer does', () => {
  fc.assert(
    fc.property(changes, changes, (before, after) => {
      const [older, newer] = [noEntries(), noEntries()];
      for (const [index, value] of before) changeEntry(older, index, value);
      for (const [index, value] of after) changeEntry(newer, index, value);
      const merged = mergeEntries(older, newer);
      for (let index = 0; index < 64; index += 1) {
        const is = entryAt(older, index) === INVALID ? INVALID : entryAt(newer, index);
        expect(entryAt(merged, index)).toBe(is);
      }
    }),
  );
});

it('a list of which 1 % is set takes at most 30 KB as a token', async () => {
  const entries = noEntries();
  let state = 29;
  for (let set = 0; set < STATUS_LIST_SIZE / 100; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    if (changeEntry(entries, state >>> 12, set % 10 === 0 ? SUSPENDED : INVALID)) set += 1;
  }
  const compressed = await compressEntries(entries);
  const token = Math.ceil((Math.ceil((compressed.length * 4) / 3) * 4) / 3) + 700;
  expect(token).toBeLessThanOrEqual(30 * 1024);
  expect(await decompressEntries(compressed)).toEqual(entries);
  const { invalid, suspended } = countEntries(entries);
  expect(invalid + suspended).toBeGreaterThan(10_400);
});

it('nothing that is larger than a list is inflated', async () => {
  const { deflateSync } = await import('node:zlib');
  await expect(decompressEntries(deflateSync(Buffer.alloc(300_000)))).rejects.toThrow();
  await expect(decompressEntries(deflateSync(Buffer.alloc(200_000)))).rejects.toThrow('has 262144 bytes');
});
