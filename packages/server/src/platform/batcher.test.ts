import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBatcher } from './batcher.ts';

/** A batcher that doubles numbers; each batch ends when its `end` is called. */
function doubling(limits: { readonly maxItems: number; readonly maxRunning: number }) {
  const batches: { readonly items: readonly number[]; readonly end: (error?: Error) => void }[] = [];
  const double = createBatcher<number, number>({
    ...limits,
    run: (items) =>
      new Promise((resolve, reject) => {
        const answers = items.map((item) => (item < 0 ? new RangeError(`${item}`) : 2 * item));
        batches.push({ items, end: (error) => (error === undefined ? resolve(answers) : reject(error)) });
      }),
  });
  return { double, batches };
}

describe('a batcher', () => {
  it('runs the calls of one event loop iteration together, and returns each result to its caller', async () => {
    const { double, batches } = doubling({ maxItems: 10, maxRunning: 1 });
    const answers = Promise.all([3, 1, 2].map(double));
    await nextTurn();
    await nextTurn();
    expect(batches.map(({ items }) => items)).toEqual([[3, 1, 2]]);
    batches[0]?.end();
    expect(await answers).toEqual([6, 2, 4]);
  });

  it('keeps the limits of items and of concurrent batches; waiting calls form the next batches', async () => {
    const { double, batches } = doubling({ maxItems: 2, maxRunning: 2 });
    const answers = Promise.all([1, 2, 3, 4, 5, 6, 7].map(double));
    await nextTurn();
    await nextTurn();
    expect(batches.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    for (let ended = 0; ended < 4; ended += 1) {
      batches[ended]?.end();
      await nextTurn();
      await nextTurn();
      expect(batches.length - ended - 1).toBeLessThanOrEqual(2);
    }
    expect(await answers).toEqual([2, 4, 6, 8, 10, 12, 14]);
  });

  it('fails a call whose result is an error, and all calls of a batch that throws, and continues', async () => {
    const { double, batches } = doubling({ maxItems: 2, maxRunning: 1 });
    const settled = Promise.allSettled([1, -1, 2, 3, 4].map(double));
    for (const error of [undefined, new Error('not reachable'), undefined]) {
      await nextTurn();
      await nextTurn();
      batches.at(-1)?.end(error);
    }
    const reasons = (await settled).map((one) =>
      one.status === 'fulfilled' ? one.value : one.reason.message,
    );
    expect(reasons).toEqual([2, '-1', 'not reachable', 'not reachable', 8]);
  });
});
