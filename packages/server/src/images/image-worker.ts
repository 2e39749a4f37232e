import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import { type JobQueue, type OpenJob, SILENCE } from '../platform/jobs/job-queue.ts';
import type { ImageSettings } from '../platform/settings/config.ts';
import { failedAttempt } from './failed-attempt.ts';
import { ImageTroubleError } from './failures.ts';
import { outcomeOf } from './finding.ts';
import { loadTask } from './image-task.ts';
import { type RecordOptions, recordFinding, recordTrouble } from './record-finding.ts';
import { type LookOptions, lookAtImage } from './scan-image.ts';
import { reclaimLostLooks, sweepDueLooks } from './scan-table.ts';

export interface ImageWorkerOptions extends LookOptions, Omit<RecordOptions, 'db'> {
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly settings: ImageSettings;
  /** What was found is in the database: copies of this product's documents at this node are out of date. */
  readonly onFound: (productId: string) => void;
  /** A look came to an end: what was found (`image`, `no_image`, `unchanged`), or the code of why it fell short. */
  readonly onLook: (outcome: string) => void;
  /** For the log; the work goes on. */
  readonly onFault: (error: unknown) => void;
}

export interface ImageWorker {
  /** There may be something to do: looks at once instead of at the next turn. */
  wake(): void;
  /** Images that this node looks at now. */
  underWay(): number;
  /** Gives up what is under way; it is taken up again by another node or at the next start. */
  close(): Promise<void>;
}

/** Milliseconds between two looks for work, while there is none. */
const IDLE = 1_000;
/** Milliseconds between two looks for orders that are due. */
const SWEEP = 250;
/** Milliseconds to wait when the database did not answer. */
const PAUSE = 5_000;
/** Milliseconds that images under way are waited for at the end. */
const GRACE = 5_000;
const TOUCH = (SILENCE * 1000) / 3;
const RECLAIM = 30_000;

/** Takes jobs and looks at their images, a few at a time, for as long as the service runs. */
export function startImageWorker(options: ImageWorkerOptions): ImageWorker {
  const stop = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  let sweptAt = Number.NEGATIVE_INFINITY;
  let wakeUp = () => {};
  const idle = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      wakeUp = resolve;
      delay(milliseconds, undefined, { signal: stop.signal, ref: false }).then(resolve, () => resolve());
    });

  const start = (job: OpenJob) => {
    const run = runJob(job, options, stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) options.onFault(error);
      })
      .finally(() => {
        underWay.delete(job.id);
        wakeUp();
      });
    underWay.set(job.id, run);
  };

  const turn = async (): Promise<number> => {
    const free = options.settings.concurrent - underWay.size;
    // several at once cost one statement
    if (free * 2 < options.settings.concurrent) return 0;
    const { perHost } = options.settings;
    const jobs = await options.queue.take(free, perHost);
    if (jobs.length < free && performance.now() - sweptAt > SWEEP) {
      sweptAt = performance.now();
      const made = await sweepDueLooks(options.db, options.queue);
      if (made > 0) jobs.push(...(await options.queue.take(free - jobs.length, perHost)));
    }
    if (!stop.signal.aborted) for (const job of jobs) start(job);
    return jobs.length;
  };

  const loop = (async () => {
    while (!stop.signal.aborted) {
      const taken = await turn().catch((error: unknown) => {
        if (!stop.signal.aborted) options.onFault(error);
        return null;
      });
      if (taken === null) await idle(PAUSE);
      else if (taken === 0) await idle(IDLE);
    }
  })();
  const guarded = (work: () => Promise<unknown>) => () => void work().catch(options.onFault);
  const timers = [
    setInterval(
      guarded(() => options.queue.touch([...underWay.keys()])),
      TOUCH,
    ),
    setInterval(
      guarded(() => reclaimLostLooks(options.db, options.queue, options.recheck)),
      RECLAIM,
    ),
  ];
  for (const timer of timers) timer.unref();
  return {
    wake() {
      sweptAt = Number.NEGATIVE_INFINITY;
      wakeUp();
    },
    underWay: () => underWay.size,
    async close() {
      stop.abort();
      for (const timer of timers) clearInterval(timer);
      await loop;
      await Promise.race([Promise.allSettled(underWay.values()), delay(GRACE, undefined, { ref: false })]);
    },
  };
}

async function runJob(job: OpenJob, options: ImageWorkerOptions, signal: AbortSignal): Promise<void> {
  const task = await loadTask(options.db, job.id);
  if (task === null) return dropJob(job, options);
  try {
    const finding = await lookAtImage(task, options, signal);
    const recorded = await recordFinding(task, finding, options);
    options.onLook(outcomeOf(finding));
    if (recorded && finding.kind !== 'unchanged') options.onFound(task.product.id);
  } catch (error) {
    // the job stays open, and is taken up again once nobody says that it is worked on
    signal.throwIfAborted();
    if (!(error instanceof ImageTroubleError))
      options.onFault(new Error(`An image could not be looked at: ${task.imageId}`, { cause: error }));
    const { retryDelay } = options.settings;
    const failed = failedAttempt(error, job, task, { now: options.clock(), retryDelay });
    await recordTrouble(task, failed, options);
    options.onLook(failed.trouble.code);
  }
}

/** The image has gone, or somebody else ended the look. The order stays due: the image may have come back since. */
async function dropJob(job: OpenJob, { db, queue }: ImageWorkerOptions): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('image_looks').set({ job_id: null }).where('job_id', '=', job.id).execute();
    await queue.complete(trx, job.id);
  });
}
