import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Maps items by `work`, so many at once, and lets whatever else waits for the event loop go first in between: hundreds of
 * them together would hold it for tens of milliseconds. All at once without a bound.
 */
export async function inTurns<I, O>(
  items: readonly I[],
  atOnce: number,
  work: (item: I) => Promise<O>,
): Promise<O[]> {
  if (atOnce >= items.length) return Promise.all(items.map(work));
  const done: O[] = [];
  const waiting = items.entries();
  const lane = async () => {
    for (const [index, item] of waiting) {
      done[index] = await work(item);
      await nextTurn();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return done;
}
