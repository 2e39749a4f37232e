import { performance } from 'node:perf_hooks';
import { setImmediate as nextTick } from 'node:timers/promises';

/** Milliseconds of work after which the event loop runs other callbacks; not more often, as each iteration takes time itself. */
const MAX_BLOCKING = 1;

/**
 * Maps items with limited concurrency, and yields to the event loop every millisecond: hundreds of items together would block it
 * for tens of milliseconds. With an infinite limit all items run at once.
 *
 * @param concurrency - called again before each item, so that the limit may shrink meanwhile
 */
export async function mapConcurrently<I, O>(
  items: readonly I[],
  concurrency: () => number,
  work: (item: I) => Promise<O>,
): Promise<O[]> {
  const initial = concurrency();
  if (initial === Number.POSITIVE_INFINITY) return Promise.all(items.map(work));
  const results: O[] = [];
  const waiting = items.entries();
  let begun = performance.now();
  let yielding: Promise<void> | undefined;
  const yieldToEventLoop = async () => {
    await nextTick();
    begun = performance.now();
    yielding = undefined;
  };
  const worker = async (nth: number) => {
    // the first worker always continues to the end
    while (nth === 0 || nth < concurrency()) {
      const { value, done } = waiting.next();
      if (done === true) return;
      const [index, item] = value;
      results[index] = await work(item);
      if (performance.now() - begun > MAX_BLOCKING) yielding ??= yieldToEventLoop();
      await yielding;
    }
  };
  await Promise.all(Array.from({ length: Math.min(initial, items.length) }, (_, nth) => worker(nth)));
  return results;
}
