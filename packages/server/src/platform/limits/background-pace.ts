import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** Limits of one batch of background work. */
export interface BackgroundLoad {
  readonly items: number;
  /** Concurrent signatures, on the threads that also sign for requests; decreases as soon as there are many requests. */
  readonly signatures: number;
  /** Called with milliseconds for which the batch only waited, for a log or a disk: they count as a pause. */
  readonly onWaited?: (milliseconds: number) => void;
}

/** The load of a process with many requests. */
export interface RequestLoad {
  /** Share of its event loop that requests take, from 0 to 1. */
  readonly utilization: number;
}

/** Runs background work as fast as possible without requests, and slowly during requests. */
export interface BackgroundPace {
  /** Runs a batch of work as soon as the pace allows. */
  run<T>(work: (load: BackgroundLoad) => Promise<T>): Promise<T>;
  /** A request was answered. */
  onRequest(): void;
  /** Calls `report` twice a second while there are many requests, for the other processes of the service. Idle, it has no timer. */
  reportLoad(report: (load: RequestLoad) => void): void;
  /** Receives the load that another process of the service reports. */
  onLoadElsewhere(load: RequestLoad): void;
}

/** With few requests: enough of each to keep both cores and the database busy. */
const ALONE: BackgroundLoad = { items: 256, signatures: 16 };
/** Beside requests: batches of a few milliseconds. */
const BESIDE: BackgroundLoad = { items: 16, signatures: 1 };
/** Requests per second from which background work slows down; fewer are probes, or someone who watches the progress. */
const MANY = 10;
/** Milliseconds between two reports of the load. */
const REPORT_EVERY = 500;
/** Milliseconds for which a load that another process reported is valid. */
const REPORT_TTL = 1_500;
/** Share of the event loop's idle time that background work takes during requests. */
const SHARE = 0.2;
/** Utilisation below which requests are negligible. */
const IDLE = 0.03;
/** Milliseconds of a pause: long enough for a measurement, short enough to continue soon. */
const PAUSE = { min: 20, max: 1_000 };

/**
 * Beside requests, of any process, one batch runs at a time, followed by a pause. The load of requests is measured during the
 * pause, as the utilisation of the event loop (`performance.eventLoopUtilization`), so that background work does not count. The
 * pause is as long as its share requires.
 */
export function createBackgroundPace(now: () => number = () => performance.now()): BackgroundPace {
  const asked = requestsPerSecond(now);
  let elsewhere = { utilization: 0, at: Number.NEGATIVE_INFINITY };
  let last: Promise<unknown> = Promise.resolve();
  let lastUtilization = performance.eventLoopUtilization();
  let report: ((load: RequestLoad) => void) | undefined;
  let reporting: NodeJS.Timeout | undefined;
  let hasWorked = false;
  let measured = 0;

  const isAskedElsewhere = () => now() - elsewhere.at < REPORT_TTL;
  const isAsked = () => asked.rate() >= MANY || isAskedElsewhere();

  const alone: BackgroundLoad = {
    items: ALONE.items,
    get signatures() {
      return isAsked() ? BESIDE.signatures : ALONE.signatures;
    },
  };

  const beside = async <T>(work: (load: BackgroundLoad) => Promise<T>): Promise<T> => {
    const begun = now();
    let waited = 0;
    const onWaited = (milliseconds: number) => {
      waited += milliseconds;
    };
    try {
      return await work({ ...BESIDE, onWaited });
    } finally {
      await pause(Math.max(0, now() - begun - waited), waited);
    }
  };

  const pause = async (worked: number, waited: number): Promise<void> => {
    const before = performance.eventLoopUtilization();
    await delay(PAUSE.min);
    measured = performance.eventLoopUtilization(before).utilization;
    const utilization = Math.max(measured, isAskedElsewhere() ? elsewhere.utilization : 0);
    if (utilization < IDLE) return;
    const wanted = worked / (SHARE * Math.max(0.02, 1 - utilization));
    await delay(Math.min(PAUSE.max, Math.max(0, wanted - PAUSE.min - waited)));
  };

  const reportNow = () => {
    const { utilization } = performance.eventLoopUtilization(lastUtilization);
    lastUtilization = performance.eventLoopUtilization();
    const ofRequests = hasWorked ? measured : utilization;
    hasWorked = false;
    const rate = asked.rate();
    if (rate >= MANY) report?.({ utilization: ofRequests });
    else if (rate === 0) {
      clearInterval(reporting);
      reporting = undefined;
    }
  };

  return {
    onRequest() {
      asked.count();
      if (report === undefined || reporting !== undefined) return;
      lastUtilization = performance.eventLoopUtilization();
      reporting = setInterval(reportNow, REPORT_EVERY).unref();
    },
    reportLoad(to) {
      report = to;
    },
    onLoadElsewhere({ utilization }) {
      elsewhere = { utilization, at: now() };
    },
    run(work) {
      hasWorked = true;
      if (!isAsked()) return work(alone);
      const result = last.then(() => beside(work));
      last = result.catch(() => {});
      return result;
    },
  };
}

/** Approximate number of requests in the last second, by a sliding window over this second and the one before. */
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
