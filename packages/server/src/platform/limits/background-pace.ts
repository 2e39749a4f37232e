import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** How much one piece of background work may take. */
export interface BackgroundLoad {
  readonly items: number;
  /** Signatures at once, on the threads that requests sign on, too. */
  readonly signatures: number;
}

/** Lets background work go as fast as the node allows, and aside for requests. */
export interface BackgroundPace {
  /** Runs a piece of work when it may run. */
  run<T>(work: (load: BackgroundLoad) => Promise<T>): Promise<T>;
  /** A request was answered. */
  onRequest(): void;
}

/** Nobody asks: enough of each to keep both cores and the database busy. */
const ALONE: BackgroundLoad = { items: 256, signatures: 8 };
/** Beside requests: pieces of a few milliseconds. */
const BESIDE: BackgroundLoad = { items: 16, signatures: 1 };
/** Milliseconds since the last request in which others may ask, too. */
const RECENT = 1_000;
/** Share of the event loop's spare time that background work takes beside requests. */
const SHARE = 0.2;
/** Below this utilisation, what asks is probes and the like. */
const IDLE = 0.03;
/** Milliseconds of a rest: long enough to measure in, short enough to go on soon. */
const REST = { least: 20, most: 1_000 };

/**
 * Beside requests one piece runs at a time, and rests after it. What requests take is measured while it rests, as the
 * utilisation of the event loop (`performance.eventLoopUtilization`): its own work does not count into it. The rest is as long
 * as keeps its share.
 */
export function createBackgroundPace(now: () => number = () => performance.now()): BackgroundPace {
  let askedAt = Number.NEGATIVE_INFINITY;
  let last: Promise<unknown> = Promise.resolve();

  const beside = async <T>(work: (load: BackgroundLoad) => Promise<T>): Promise<T> => {
    const begun = now();
    try {
      return await work(BESIDE);
    } finally {
      await rest(now() - begun);
    }
  };

  const rest = async (worked: number): Promise<void> => {
    const before = performance.eventLoopUtilization();
    await delay(REST.least);
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization < IDLE) return;
    const wanted = worked / (SHARE * Math.max(0.02, 1 - utilization));
    await delay(Math.min(REST.most, Math.max(0, wanted - REST.least)));
  };

  return {
    onRequest() {
      askedAt = now();
    },
    run(work) {
      if (now() - askedAt > RECENT) return work(ALONE);
      const turn = last.then(() => beside(work));
      last = turn.catch(() => {});
      return turn;
    },
  };
}
