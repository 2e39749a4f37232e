import { setTimeout as delay } from 'node:timers/promises';
import { inSpan, type Tracing } from '../tracing/tracing.ts';
import type { DueJobs } from './due-jobs.ts';
import type { Job } from './job.ts';
import type { JobQueue } from './job-queue.ts';

export interface JobWorkerOptions {
  readonly queue: JobQueue;
  /** Wakes the worker when there are jobs to claim. */
  readonly due: DueJobs;
  /** Jobs that this node runs at a time. */
  readonly concurrent: number;
  /** Whether a job is claimed as soon as one slot is free; default: not before half of them are. */
  readonly claimsSingly?: boolean;
  /** Runs the job, and ends it in the queue. If it throws, the job counts as interrupted, or is released if `signal` is aborted. */
  readonly run: (job: Job, signal: AbortSignal) => Promise<void>;
  readonly tracing?: Tracing | undefined;
  /** For the log; the worker continues. */
  readonly onFault: (error: unknown) => void;
}

export interface JobWorker {
  /** Claims jobs soon instead of at the next poll. */
  wake(): void;
  /** Number of jobs that this node is running. */
  running(): number;
  /** Aborts and releases the running jobs, for another node or the next start. */
  close(): Promise<void>;
}

/** Milliseconds within which any number of calls of `wake` lead to one claim. */
const DEBOUNCE = 50;
/** Milliseconds until the next claim after the database did not answer, unless the worker is woken. */
const PAUSE = 5_000;
/** Milliseconds that `close` waits for running jobs. */
const GRACE = 5_000;

/** Claims jobs and runs them, a few at a time, for as long as the service runs. */
export function startJobWorker(options: JobWorkerOptions): JobWorker {
  const { queue, due, concurrent, claimsSingly = false, run, tracing, onFault } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const running = new Map<Job, Promise<void>>();
  let isWaking = false;
  const pause = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  let wakeUp = () => {};
  let woken = Promise.resolve();
  const sleep = () => {
    woken = new Promise((resolve) => {
      wakeUp = resolve;
    });
  };

  const start = async (job: Job) => {
    try {
      const span = () => ({
        name: `job ${queue.name}`,
        kind: 'CONSUMER' as const,
        attributes: { 'touchstone.job.subject': job.subject, 'touchstone.job.attempt': job.attempt },
        parent: job.traceparent ?? undefined,
      });
      await inSpan(tracing, span, () => run(job, signal));
    } catch (error) {
      if (!signal.aborted) onFault(error);
      else await queue.release(job).catch(onFault);
    } finally {
      running.delete(job);
      wakeUp();
    }
  };

  const claim = async (): Promise<number> => {
    const free = concurrent - running.size;
    // claiming several jobs takes as many statements as claiming one, so wait until half of the slots are free
    if (free === 0 || (free * 2 < concurrent && !claimsSingly)) return 0;
    const jobs = await queue.claim(free);
    for (const job of jobs) running.set(job, start(job));
    return jobs.length;
  };

  const loop = (async () => {
    // leaves the connections to the rest of the startup
    await pause(DEBOUNCE);
    while (!signal.aborted) {
      // before the claim: a wake from now on may concern a job that the claim misses
      sleep();
      const claimed = await claim().catch((error: unknown) => {
        if (!signal.aborted) onFault(error);
        return null;
      });
      if (claimed === null) await Promise.race([pause(PAUSE), woken]);
      else if (claimed === 0) await woken;
    }
  })();
  const unwatch = due.watch(queue.name, () => wakeUp());
  const heartbeat = setInterval(
    () => {
      if (running.size > 0) queue.keep([...running.keys()]).catch(onFault);
    },
    (queue.lease * 1_000) / 3,
  );
  heartbeat.unref();
  return {
    wake() {
      if (isWaking) return;
      isWaking = true;
      setTimeout(() => {
        isWaking = false;
        wakeUp();
      }, DEBOUNCE).unref();
    },
    running: () => running.size,
    async close() {
      stop.abort();
      unwatch();
      wakeUp();
      clearInterval(heartbeat);
      await loop;
      await Promise.race([Promise.allSettled(running.values()), delay(GRACE, undefined, { ref: false })]);
    },
  };
}
