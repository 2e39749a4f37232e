import { setImmediate as nextTick } from 'node:timers/promises';

/**
 * Maps items by `work`, a bounded number at a time, and lets whatever else waits for the event loop run in between:
 * hundreds of them together would hold it for tens of milliseconds. All at once without a bound.
 *
 * @param concurrency - asked for anew before each item: what has begun with many goes on with fewer where it shrinks
 */
export async function mapConcurrently<I, O>(
  items: readonly I[],
  concurrency: () => number,
  work: (item: I) => Promise<O>,
): Promise<O[]> {
  const most = concurrency();
  if (most === Number.POSITIVE_INFINITY) return Promise.all(items.map(work));
  const results: O[] = [];
  const waiting = items.entries();
  const worker = async (nth: number) => {
    // the first one goes on to the end
    while (nth === 0 || nth < concurrency()) {
      const { value, done } = waiting.next();
      if (done === true) return;
      const [index, item] = value;
      results[index] = await work(item);
      await nextTick();
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, (_, nth) => worker(nth)));
  return results;
}
