/** Milliseconds of a life after which an end says nothing about the next life. */
const LONG_LIFE = 10_000;
/** Milliseconds before the third short life in a row; it doubles with each. The second begins at once. */
const FIRST_WAIT = 100;
const LONGEST_WAIT = 1_000;
/** Milliseconds in which ends are counted, of all processes together. */
const WINDOW = 60_000;
/** Ends in the window after which the service is given up. */
export const MOST_ENDS = 30;

export interface RestartPolicy {
  /**
   * A process ended that nobody asked to.
   *
   * @param number - which of the processes
   * @param lived - milliseconds
   * @returns milliseconds until it is started again; `null`: the service is given up
   */
  ended(number: number, lived: number): number | null;
}

/** @param now - milliseconds, of a clock that nobody sets */
export function createRestartPolicy(now: () => number): RestartPolicy {
  const shortLives = new Map<number, number>();
  let ends: number[] = [];
  return {
    ended(number, lived) {
      const at = now();
      ends = [...ends.filter((end) => at - end < WINDOW), at];
      if (ends.length >= MOST_ENDS) return null;
      const short = lived < LONG_LIFE ? (shortLives.get(number) ?? 0) + 1 : 0;
      shortLives.set(number, short);
      return short <= 1 ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (short - 2));
    },
  };
}
