import { ServiceError } from '../errors.ts';
import type { LoadGauge } from './load-gauge.ts';

/** Seconds until who was refused for our being busy may come again. */
const OVERLOAD_RETRY_AFTER = 2;

/** However busy we are, nobody is waited for longer than so many times what a client may take. */
const LONGEST = 2;

export interface ClientDeadline {
  /** Milliseconds that the client may take. */
  readonly milliseconds: number;
  readonly load: Pick<LoadGauge, 'lateSince'>;
  /** Called once: with `request_timeout` where the client was too slow, with `overloaded` where we were. */
  readonly onOver: (fault: ServiceError) => void;
  /** When the wait began, on the clock of `performance`; now unless told. */
  readonly begun?: number;
}

/**
 * Waits for a client. What it sent in time may lie unread in its socket while this process is busy with others: that time is
 * ours and not counted, and nobody is judged before what has come meanwhile was read.
 *
 * @returns ends the wait
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
