import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of one turn: short beside what any request waits for. */
const TURN = 10;

/**
 * For work that waits for nothing but data that has arrived already: each call resolves at once, or after other events were handled if
 * the work has held the event loop long enough.
 *
 * @param now - milliseconds
 */
export function eventLoopTurns(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  let begun = now();
  return () => {
    if (now() - begun < TURN) return undefined;
    return nextTurn().then(() => {
      begun = now();
    });
  };
}
