import type { Socket } from 'node:net';
import { FetchFailure } from './failure.ts';

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

/** What a host must keep up once it has begun to answer. */
export interface MinimumRate {
  /** Milliseconds after the first byte in which any rate is accepted. */
  readonly graceTime: number;
  /** Bytes a second, from the first byte on, as they come over the wire. */
  readonly minimumRate: number;
}

/** How often within the time of grace the bytes are counted. */
const SAMPLES = 5;

/**
 * Watches an answer come in.
 *
 * @returns `signal`, aborted with a FetchFailure when the answer drips; `stop`, to be called in the end
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
    // before the first byte it may be thinking; the time for everything bounds that
    if (got === 0) return;
    // counted in ticks, not by the clock: while this process is held up, bytes wait unread that the host has sent
    ticks += 1;
    if (ticks < SAMPLES || got >= (minimumRate * ticks * tick) / 1_000) return;
    dripping.abort(new FetchFailure('timed_out', `${got} bytes in ${(ticks * tick) / 1_000} s`));
  }, tick);
  return { signal: dripping.signal, stop: () => clearInterval(timer) };
}
