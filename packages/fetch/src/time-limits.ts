import type { Socket } from 'node:net';
import { FetchFailure } from './failure.ts';

/** A timeout that can be paused. */
export interface TimeLimit {
  /** Aborted when the time has run out. */
  readonly signal: AbortSignal;
  /** Runs work whose time does not count. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Clears the timer. */
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

/** The minimum rate of a host once it has begun to answer. */
export interface MinimumRate {
  /** Milliseconds after the first byte in which any rate is accepted. */
  readonly graceTime: number;
  /** Bytes per second since the first byte, as read from the network. */
  readonly minimumRate: number;
}

/** How often the bytes are counted within the grace period. */
const SAMPLES = 5;

/**
 * Monitors the rate of an answer.
 *
 * @returns `signal`, aborted with a FetchFailure if the rate is too low; `stop`, to be called at the end
 */
export function watchRate(
  socket: Socket,
  { graceTime, minimumRate }: MinimumRate,
): { readonly signal: AbortSignal; readonly stop: () => void } {
  const dripping = new AbortController();
  const before = socket.bytesRead;
  const tick = graceTime / SAMPLES;
  let ticks = 0;
  const timer = setInterval(() => {
    const got = socket.bytesRead - before;
    // the time before the first byte is limited by the total time only
    if (got === 0) return;
    // counted in ticks, not by the clock: while this process is busy, bytes from the host wait unread
    ticks += 1;
    if (ticks < SAMPLES || got >= (minimumRate * ticks * tick) / 1_000) return;
    dripping.abort(new FetchFailure('timed_out', `${got} bytes in ${(ticks * tick) / 1_000} s`));
  }, tick);
  return { signal: dripping.signal, stop: () => clearInterval(timer) };
}
