import type { JobQueue } from '../../platform/jobs/job-queue.ts';

/** Milliseconds. */
export interface TurnTimes {
  /** After which an import makes room for others, as soon as its batch is recorded. */
  readonly slice: number;
  /** After which an import without a long turn makes room in the middle of a batch, which it then reads again. */
  readonly batch: number;
  /** The same for an import with a long turn: more than one request to a shop may take. */
  readonly longBatch: number;
  /** Between two looks for imports that wait. */
  readonly look: number;
}

/** So that an import begins within 10 s of its order, however many others are in progress. */
const TURN_TIMES: TurnTimes = { slice: 3_000, batch: 6_000, longBatch: 150_000, look: 500 };

/** Ends a turn in the middle of a batch. */
export class TurnOver extends Error {
  override readonly name = 'TurnOver';
}

/** The time for which an import holds one of the slots of this node. */
export interface Turn {
  /** Whether it is to make room after the batch in progress. */
  isOver(): boolean;
  /** Aborted with `TurnOver` if it is to make room now. */
  readonly signal: AbortSignal;
}

interface Running {
  readonly begun: number;
  readonly isLong: boolean;
  readonly stop: AbortController;
  isOver: boolean;
}

/**
 * Lets imports share the slots of a node in turns, for as long as imports of other merchants wait: those without one need not wait for
 * the end of a large, slow or endless catalogue. All slots but one are for long turns, so that a shop whose batches take longer than
 * a short turn is read, too.
 */
export class ImportTurns {
  readonly #queue: Pick<JobQueue, 'countWaiting'>;
  readonly #slots: number;
  readonly #times: TurnTimes;
  readonly #onFault: (error: unknown) => void;
  readonly #running = new Set<Running>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    queue: Pick<JobQueue, 'countWaiting'>,
    slots: number,
    onFault: (error: unknown) => void,
    times: TurnTimes = TURN_TIMES,
  ) {
    this.#queue = queue;
    this.#slots = slots;
    this.#onFault = onFault;
    this.#times = times;
  }

  /** Runs an import during a turn. */
  async run<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    const long = [...this.#running].filter(({ isLong }) => isLong).length;
    const running: Running = {
      begun: performance.now(),
      isLong: long < this.#slots - 1,
      stop: new AbortController(),
      isOver: false,
    };
    this.#running.add(running);
    this.#timer ??= setInterval(() => {
      this.#look().catch(this.#onFault);
    }, this.#times.look).unref();
    try {
      return await work({ isOver: () => running.isOver, signal: running.stop.signal });
    } finally {
      this.#running.delete(running);
      if (this.#running.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  /** As many turns end as imports wait, the oldest first. */
  async #look(): Promise<void> {
    const { slice, batch, longBatch } = this.#times;
    const now = performance.now();
    const due = [...this.#running].filter(({ begun }) => now - begun >= slice);
    if (due.length === 0 || this.#running.size < this.#slots) return;
    const waiting = await this.#queue.countWaiting(due.length);
    for (const running of due.slice(0, waiting)) running.isOver = true;
    // those that are held up keep nobody waiting: of the others, as many as wait
    const held = due.filter(({ begun, isLong }) => now - begun >= (isLong ? longBatch : batch));
    for (const { stop } of held.slice(0, waiting)) stop.abort(new TurnOver());
  }
}
