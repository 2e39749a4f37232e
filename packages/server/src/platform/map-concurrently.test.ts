import { expect, test } from 'vitest';
import { mapConcurrently } from './map-concurrently.ts';

const numbers = Array.from({ length: 20 }, (_, index) => index);

test('maps all items in order, with limited concurrency, and with less as soon as the limit decreases', async () => {
  let concurrency = 8;
  let running = 0;
  const seen: number[] = [];
  const doubled = await mapConcurrently(
    numbers,
    () => concurrency,
    async (number) => {
      running += 1;
      seen.push(running);
      await Promise.resolve();
      running -= 1;
      if (number === 7) concurrency = 1;
      return number * 2;
    },
  );
  expect(doubled).toEqual(numbers.map((number) => number * 2));
  expect(Math.max(...seen)).toBe(8);
  expect(seen.slice(-10)).toEqual(Array.from({ length: 10 }, () => 1));
});

test('yields the event loop between items that take a while', async () => {
  let turns = 0;
  const others = () => {
    turns += 1;
    if (turns < numbers.length) setImmediate(others);
  };
  setImmediate(others);
  const seen = await mapConcurrently(
    numbers,
    () => 4,
    async () => {
      for (const begun = performance.now(); performance.now() - begun < 2; );
      return turns;
    },
  );
  expect(Math.max(...seen)).toBeGreaterThan(numbers.length / 4 / 2);
});

test('fails with the first failure, and maps an empty list', async () => {
  const fail = () => Promise.reject(new Error('no'));
  await expect(mapConcurrently(numbers, () => 2, fail)).rejects.toThrow('no');
  expect(await mapConcurrently([], () => 2, fail)).toEqual([]);
  expect(
    await mapConcurrently(
      numbers,
      () => Number.POSITIVE_INFINITY,
      async (number) => number,
    ),
  ).toEqual(numbers);
});
