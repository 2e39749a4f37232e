import { performance } from 'node:perf_hooks';
import { setImmediate as nextTick } from 'node:timers/promises';

/** Milliseconds of work after which others get the event loop: each turn of it costs as much as a small piece of work. */
const LONGEST_TURN = 1;

/**
 * Maps items by `work`, a bounded number at a time, and lets whatever else waits for the event loop run every millisecond:
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
  let begun = performance.now();
  let others: Promise<void> | undefined;
  const letOthersRun = async () => {
    await nextTick();
    begun = performance.now();
    others = undefined;
  };
  const worker = async (nth: number) => {
    // the first one goes on to the end
    while (nth === 0 || nth < concurrency()) {
      const { value, done } = waiting.next();
      if (done === true) return;
      const [index, item] = value;
      results[index] = await work(item);
      if (performance.now() - begun > LONGEST_TURN) others ??= letOthersRun();
      await others;
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, (_, nth) => worker(nth)));
  return results;
}
