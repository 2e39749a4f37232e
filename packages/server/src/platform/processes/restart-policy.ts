/** Milliseconds after which a process counts as having run long enough, so that it is restarted at once. */
const LONG_LIFE = 10_000;
/** Milliseconds before the third start in a row of a process that ends soon; doubled each time. The second start is immediate. */
const FIRST_WAIT = 100;
const LONGEST_WAIT = 1_000;
/** Milliseconds in which unexpected exits of all processes are counted. */
const WINDOW = 60_000;
/** Exits in this window after which the service ends. */
export const MOST_ENDS = 30;

export interface RestartPolicy {
  /**
   * A process has exited unexpectedly.
   *
   * @param number - which of the processes
   * @param lived - milliseconds
   * @returns milliseconds until it is started again; `null`: the service must end
   */
  ended(number: number, lived: number): number | null;
}

/** @param now - milliseconds of a monotonic clock */
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
