import { randomBytes } from 'node:crypto';
import { STATUS_LIST_SIZE } from '@touchstone/certificate/withdrawal';
import { expect, it } from 'vitest';
import { indexOrder } from './permutation.ts';

const key = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex');

it('gives out each of 2^20 entries once', () => {
  const order = indexOrder(key);
  const seen = new Uint8Array(STATUS_LIST_SIZE);
  for (let n = 0; n < STATUS_LIST_SIZE; n += 1) {
    const index = order(n);
    seen[index] = (seen[index] ?? 0) + 1;
  }
  expect(seen.every((times) => times === 1)).toBe(true);
  expect(() => order(STATUS_LIST_SIZE)).toThrow(RangeError);
  expect(() => order(-1)).toThrow(RangeError);
});

it('is the same order for the same key, on every node and after a restart', () => {
  const [order, again] = [indexOrder(key), indexOrder(Buffer.from(key))];
  for (let n = 0; n < 1_000; n += 1) expect(again(n)).toBe(order(n));
  const other = indexOrder(randomBytes(32));
  const same = Array.from({ length: 1_000 }, (_, n) => n).filter((n) => other(n) === indexOrder(key)(n));
  expect(same.length).toBeLessThan(10);
});

it('tells nothing of the order by the indices: each bit and each step is as in a random one', () => {
  const order = indexOrder(key);
  const drawn = Array.from({ length: 65_536 }, (_, n) => order(n));
  // each bit of the index is set in half of them, and changes in half of the steps (six standard deviations)
  const tolerance = 6 * Math.sqrt(drawn.length / 4);
  for (let bit = 0; bit < 20; bit += 1) {
    const set = drawn.filter((index) => ((index >>> bit) & 1) === 1).length;
    const changed = drawn.filter(
      (index, n) => n > 0 && (((index ^ (drawn[n - 1] ?? 0)) >>> bit) & 1) === 1,
    ).length;
    expect(Math.abs(set - drawn.length / 2)).toBeLessThan(tolerance);
    expect(Math.abs(changed - drawn.length / 2)).toBeLessThan(tolerance);
  }
  const neighbours = drawn.filter((index, n) => n > 0 && Math.abs(index - (drawn[n - 1] ?? 0)) <= 16).length;
  expect(neighbours).toBeLessThan(30);
});
