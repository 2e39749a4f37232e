import type { Socket } from 'node:net';
import { FetchFailure } from './failure.ts';

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
