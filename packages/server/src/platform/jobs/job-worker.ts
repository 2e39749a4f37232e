import { setTimeout as delay } from 'node:timers/promises';
import type { DueJobs } from './due-jobs.ts';
import type { Job } from './job.ts';
import type { JobQueue } from './job-queue.ts';

export interface JobWorkerOptions {
  readonly queue: JobQueue;
  /** Wakes it when there is something to claim. */
  readonly due: DueJobs;
  /** Jobs that this node runs at a time. */
  readonly concurrent: number;
  /**
   * Does what the job is about, and ends it at the queue. A job that is not ended, because this throws, counts as
   * interrupted; one that is given up for `signal` is released.
   */
  readonly run: (job: Job, signal: AbortSignal) => Promise<void>;
  /** For the log; the work goes on. */
  readonly onFault: (error: unknown) => void;
}

export interface JobWorker {
  /** There may be something to do: claims soon instead of at the next look for what is due. */
  wake(): void;
  /** Jobs that this node runs now. */
  running(): number;
  /** Gives up what is running; another node takes it up, or this one at its next start. */
  close(): Promise<void>;
}

/** Milliseconds in which any number of wakes make one claim. */
const GATHER = 50;
/** Milliseconds to wait when the database did not answer, unless something happens meanwhile. */
const PAUSE = 5_000;
/** Milliseconds that running jobs are waited for at the end. */
const GRACE = 5_000;

/** Claims jobs and runs them, a few at a time, for as long as the service runs. */
export function startJobWorker({ queue, due, concurrent, run, onFault }: JobWorkerOptions): JobWorker {
  const stop = new AbortController();
  const { signal } = stop;
  const running = new Map<Job, Promise<void>>();
  let isWaking = false;
  const rest = (milliseconds: number) =>
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
      await run(job, signal);
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
    // several at once cost no more statements than one
    if (free * 2 < concurrent) return 0;
    const jobs = await queue.claim(free);
    for (const job of jobs) running.set(job, start(job));
    return jobs.length;
  };

  const loop = (async () => {
    // a service that starts has its connections for itself
    await rest(GATHER);
    while (!signal.aborted) {
      // whoever wakes it from now on tells of what this claim may miss
      sleep();
      const claimed = await claim().catch((error: unknown) => {
        if (!signal.aborted) onFault(error);
        return null;
      });
      if (claimed === null) await Promise.race([rest(PAUSE), woken]);
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
      }, GATHER).unref();
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
