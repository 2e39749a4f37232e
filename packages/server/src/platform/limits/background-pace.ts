import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** How much one piece of background work may take. */
export interface BackgroundLoad {
  readonly items: number;
  /** Signatures at once, on the threads that requests sign on, too; fewer from the moment on in which many ask. */
  readonly signatures: number;
}

/** What requests take of a process that is asked often. */
export interface RequestLoad {
  /** Of its event loop, from 0 to 1. */
  readonly utilization: number;
}

/** Lets background work go as fast as the service allows, and aside for requests. */
export interface BackgroundPace {
  /** Runs a piece of work when it may run. */
  run<T>(work: (load: BackgroundLoad) => Promise<T>): Promise<T>;
  /** A request was answered. */
  onRequest(): void;
  /** For the other processes of the service, twice a second; undefined while few ask. */
  load(): RequestLoad | undefined;
  /** What another process of the service said of itself. */
  onLoadElsewhere(load: RequestLoad): void;
}

/** Few ask: enough of each to keep both cores and the database busy. */
const ALONE: BackgroundLoad = { items: 256, signatures: 16 };
/** Beside requests: pieces of a few milliseconds. */
const BESIDE: BackgroundLoad = { items: 16, signatures: 1 };
/** Requests in a second from which on work goes aside: fewer are probes, or someone who looks how far it is. */
const MANY = 10;
/** Milliseconds for which another process counts as asked often. */
const TOLD_FOR = 1_500;
/** Share of the event loop's spare time that background work takes beside requests. */
const SHARE = 0.2;
/** Below this utilisation, what asks is next to nothing. */
const IDLE = 0.03;
/** Milliseconds of a rest: long enough to measure in, short enough to go on soon. */
const REST = { least: 20, most: 1_000 };

/**
 * Beside requests, of whichever process, one piece runs at a time, and rests after it. What requests take is measured while
 * it rests, as the utilisation of the event loop (`performance.eventLoopUtilization`): its own work does not count into it.
 * The rest is as long as keeps its share.
 */
export function createBackgroundPace(now: () => number = () => performance.now()): BackgroundPace {
  const asked = requestsPerSecond(now);
  let elsewhere = { utilization: 0, at: Number.NEGATIVE_INFINITY };
  let last: Promise<unknown> = Promise.resolve();
  let lastUtilization = performance.eventLoopUtilization();
  let hasWorked = false;
  let atRest = 0;

  const isAskedElsewhere = () => now() - elsewhere.at < TOLD_FOR;
  const isAsked = () => asked.rate() >= MANY || isAskedElsewhere();

  const alone: BackgroundLoad = {
    items: ALONE.items,
    get signatures() {
      return isAsked() ? BESIDE.signatures : ALONE.signatures;
    },
  };

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
    atRest = performance.eventLoopUtilization(before).utilization;
    const utilization = Math.max(atRest, isAskedElsewhere() ? elsewhere.utilization : 0);
    if (utilization < IDLE) return;
    const wanted = worked / (SHARE * Math.max(0.02, 1 - utilization));
    await delay(Math.min(REST.most, Math.max(0, wanted - REST.least)));
  };

  return {
    onRequest: asked.count,
    load() {
      const { utilization } = performance.eventLoopUtilization(lastUtilization);
      lastUtilization = performance.eventLoopUtilization();
      const ofRequests = hasWorked ? atRest : utilization;
      hasWorked = false;
      return asked.rate() < MANY ? undefined : { utilization: ofRequests };
    },
    onLoadElsewhere({ utilization }) {
      elsewhere = { utilization, at: now() };
    },
    run(work) {
      hasWorked = true;
      if (!isAsked()) return work(alone);
      const turn = last.then(() => beside(work));
      last = turn.catch(() => {});
      return turn;
    },
  };
}

/** How many there were in the last second, about: those of the second before count by the part of it that is not over. */
function requestsPerSecond(now: () => number) {
  const counts = { second: 0, before: 0, present: 0 };
  const move = () => {
    const second = Math.floor(now() / 1_000);
    if (second === counts.second) return;
    counts.before = second === counts.second + 1 ? counts.present : 0;
    counts.present = 0;
    counts.second = second;
  };
  return {
    count() {
      move();
      counts.present += 1;
    },
    rate() {
      move();
      return counts.present + counts.before * (1 - (now() / 1_000 - counts.second));
    },
  };
}
