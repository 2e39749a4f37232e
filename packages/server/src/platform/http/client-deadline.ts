import { ServiceError } from '../errors.ts';
import type { LoadGauge } from './load-gauge.ts';

/** Seconds after which a client that was refused because of our load may retry. */
const OVERLOAD_RETRY_AFTER = 2;

/** Factor of a client's time after which the wait ends, however busy this process is. */
const LONGEST = 2;

export interface ClientDeadline {
  /** Milliseconds for the client. */
  readonly milliseconds: number;
  readonly load: Pick<LoadGauge, 'lateSince'>;
  /** Called once: with `request_timeout` if the client was too slow, with `overloaded` if this process was. */
  readonly onOver: (fault: ServiceError) => void;
  /** When the wait began, on the clock of `performance`. Default: now. */
  readonly begun?: number;
}

/**
 * Limits the time of waiting for a client. While this process is busy, data that was sent in time may be unread in the socket:
 * that time is not counted, and the deadline is checked only after reading what has arrived.
 *
 * @returns a function that ends the wait
 */
export function startDeadline({ milliseconds, load, onOver, begun }: ClientDeadline): () => void {
  const from = begun ?? performance.now();
  let timer: NodeJS.Timeout;
  let afterReading: NodeJS.Immediate | undefined;
  const judge = () => {
    const elapsed = performance.now() - from;
    const own = elapsed - load.lateSince(from);
    if (own >= milliseconds) onOver(new ServiceError('request_timeout'));
    else if (elapsed >= LONGEST * milliseconds) onOver(overloaded());
    else wait(Math.min(milliseconds - own, LONGEST * milliseconds - elapsed));
  };
  const wait = (rest: number) => {
    timer = setTimeout(() => {
      afterReading = setImmediate(judge);
    }, Math.ceil(rest));
  };
  wait(Math.max(0, milliseconds - (performance.now() - from)));
  return () => {
    clearTimeout(timer);
    clearImmediate(afterReading);
  };
}

export function overloaded(): ServiceError {
  return new ServiceError('overloaded', { retryAfter: OVERLOAD_RETRY_AFTER });
}
