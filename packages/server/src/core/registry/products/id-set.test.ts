import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdSet } from './id-set.ts';

test('behaves like a set of strings, for ids of any text', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ maxLength: 3 }), fc.string({ unit: 'binary' }))), (ids) => {
      const known = new Set<string>();
      const set = new IdSet();
      for (const id of ids) {
        expect(set.add(id)).toBe(!known.has(id));
        known.add(id);
      }
    }),
  );
});

test('keeps every id while it grows', () => {
  const set = new IdSet();
  const ids = Array.from({ length: 20_000 }, (_, number) => `cup-${number}`);
  expect(ids.filter((id) => !set.add(id))).toEqual([]);
  expect(ids.filter((id) => set.add(id))).toEqual([]);
});
