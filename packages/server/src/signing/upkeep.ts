import { setTimeout as delay } from 'node:timers/promises';

export interface UpkeepOptions {
  /** `Signing.tend`. */
  readonly tend: () => Promise<unknown>;
  /** Milliseconds between rounds; an hour unless told: far less than the day that a key is published ahead. */
  readonly every?: number;
  /** A round failed; the next one tries again. For the log. */
  readonly onFault?: (cause: unknown) => void;
}

const HOUR = 3_600_000;

/**
 * Keeps keys and proofs in order while the service runs. Rounds are spread, so that nodes do not all come at once.
 *
 * @returns ends it, after the round under way
 */
export function startUpkeep(options: UpkeepOptions): () => Promise<void> {
  const stop = new AbortController();
  const every = options.every ?? HOUR;
  const running = (async () => {
    for (;;) {
      const pause = every * (0.75 + Math.random() / 2);
      await delay(pause, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      if (stop.signal.aborted) return;
      await options.tend().catch((cause: unknown) => options.onFault?.(cause));
    }
  })();
  return async () => {
    stop.abort();
    await running;
  };
}
