import { expect, test } from 'vitest';
import { inTurns } from './in-turns.ts';

const numbers = Array.from({ length: 20 }, (_, index) => index);

test('maps all items to their places, so many at once, and fewer as soon as fewer may run', async () => {
  let atOnce = 8;
  let running = 0;
  const seen: number[] = [];
  const doubled = await inTurns(
    numbers,
    () => atOnce,
    async (number) => {
      running += 1;
      seen.push(running);
      await Promise.resolve();
      running -= 1;
      if (number === 7) atOnce = 1;
      return number * 2;
    },
  );
  expect(doubled).toEqual(numbers.map((number) => number * 2));
  expect(Math.max(...seen)).toBe(8);
  expect(seen.slice(-10)).toEqual(Array.from({ length: 10 }, () => 1));
});

test('fails with the first that fails, and maps nothing where there is nothing', async () => {
  const fail = () => Promise.reject(new Error('no'));
  await expect(inTurns(numbers, () => 2, fail)).rejects.toThrow('no');
  expect(await inTurns([], () => 2, fail)).toEqual([]);
  expect(
    await inTurns(
      numbers,
      () => Number.POSITIVE_INFINITY,
      async (number) => number,
    ),
  ).toEqual(numbers);
});
