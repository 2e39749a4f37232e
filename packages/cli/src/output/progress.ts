import type { Io } from '../io.ts';
import { safe } from './text.ts';

interface ProgressState {
  readonly done: number;
  /** Absent while unknown. */
  readonly total?: number | undefined;
  readonly failed: number;
}

/** Shows the progress of long work: one updated line on a terminal, elsewhere a plain line every few seconds. */
export interface Progress {
  update(state: ProgressState): void;
  /** Shows a remark, for example a wait before a retry; without a terminal, repeated remarks are limited. */
  remark(text: string): void;
  /** Clears the progress line before further output. */
  end(): void;
}

const EVERY = 5_000;

/** @param things - what is counted, in the plural */
export function createProgress({ stderr, now }: Pick<Io, 'stderr' | 'now'>, things = 'products'): Progress {
  const begun = now().getTime();
  let written = begun;
  let remarked = Number.NEGATIVE_INFINITY;
  let last: ProgressState = { done: 0, failed: 0 };
  const rateAt = (time: number) => (time > begun ? (last.done * 1000) / (time - begun) : 0);
  return {
    update(state) {
      last = state;
      const time = now().getTime();
      const text = progressText(state, rateAt(time), things);
      if (stderr.isTerminal) stderr.replaceLine(text);
      else if (time - written >= EVERY) {
        written = time;
        stderr.write(`${text}\n`);
      }
    },
    remark(text) {
      const time = now().getTime();
      const line = `${progressText(last, rateAt(time), things)}  ${safe(text)}`;
      if (stderr.isTerminal) stderr.replaceLine(line);
      else if (time - remarked >= EVERY) {
        remarked = time;
        stderr.write(`${line}\n`);
      }
    },
    end() {
      if (stderr.isTerminal) stderr.replaceLine('');
    },
  };
}

/**
 * `120 of 740 products, 3 failed, 85 a second, 7 s left`.
 *
 * @param rate - things done per second
 */
export function progressText(
  { done, total, failed }: ProgressState,
  rate: number,
  things = 'products',
): string {
  const parts = [`${done}${total === undefined ? '' : ` of ${total}`} ${things}`, `${failed} failed`];
  if (rate > 0) parts.push(`${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second`);
  if (rate > 0 && total !== undefined && total > done)
    parts.push(`${Math.ceil((total - done) / rate)} s left`);
  return parts.join(', ');
}
