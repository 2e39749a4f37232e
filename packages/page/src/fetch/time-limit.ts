/** Time that runs out, save while it is held still. */
export interface TimeLimit {
  /** Aborted when the time has run out. */
  readonly signal: AbortSignal;
  /** Does work whose time does not count. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Lets the timer go, when nobody needs it any more. */
  stop(): void;
}

/** @param total - milliseconds */
export function createTimeLimit(total: number): TimeLimit {
  const runOut = new AbortController();
  const end = () => runOut.abort(new Error('The time has run out.'));
  let left = total;
  let since = performance.now();
  let timer = setTimeout(end, left);
  return {
    signal: runOut.signal,
    async hold(work) {
      clearTimeout(timer);
      left -= performance.now() - since;
      try {
        return await work();
      } finally {
        since = performance.now();
        timer = setTimeout(end, Math.max(0, left));
      }
    },
    stop: () => clearTimeout(timer),
  };
}
