import { expect, it } from 'vitest';
import { jsonSize } from './json-size.ts';

const sizeOf = (value: unknown) => jsonSize(value, Number.POSITIVE_INFINITY);

it.each([
  7,
  null,
  'é"\n\ud800',
  [],
  {},
  [1, [2, {}], 'three'],
  { a: [true, -1.5e-7], ключ: { b: null }, c: [] },
])('%j has the size of its JSON', (value) => {
  expect(sizeOf(value)).toBe(Buffer.byteLength(JSON.stringify(value)));
});

it('a value of any depth is measured', () => {
  const depth = 500_000;
  expect(sizeOf(JSON.parse('['.repeat(depth) + ']'.repeat(depth)))).toBe(2 * depth);
});

it('what is too large or too deep is not measured to its end', () => {
  const depth = 500_000;
  const deep = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  expect(jsonSize([deep, 'x'.repeat(100)], 50)).toBeGreaterThan(50);
  expect(jsonSize([deep, 'x'.repeat(100)], 50)).toBeLessThan(200);
});
