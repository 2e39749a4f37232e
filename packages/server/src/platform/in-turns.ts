import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Maps items by `work`, so many at once, and lets whatever else waits for the event loop go first in between: hundreds of
 * them together would hold it for tens of milliseconds. All at once without a bound.
 *
 * @param atOnce - asked for anew before each item: what has begun with many goes on with fewer where it shrinks
 */
export async function inTurns<I, O>(
  items: readonly I[],
  atOnce: () => number,
  work: (item: I) => Promise<O>,
): Promise<O[]> {
  const most = atOnce();
  if (most === Number.POSITIVE_INFINITY) return Promise.all(items.map(work));
  const done: O[] = [];
  const waiting = items.entries();
  const lane = async (nth: number) => {
    // the first one goes on to the end
    while (nth === 0 || nth < atOnce()) {
      const { value, done: isOver } = waiting.next();
      if (isOver === true) return;
      const [index, item] = value;
      done[index] = await work(item);
      await nextTurn();
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, (_, nth) => lane(nth)));
  return done;
}
