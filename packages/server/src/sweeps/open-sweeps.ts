import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { CheckPage } from '../page-checks/check-page.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { DueJobs } from '../platform/jobs/due-jobs.ts';
import { openJobQueue } from '../platform/jobs/job-queue.ts';
import { startJobWorker } from '../platform/jobs/job-worker.ts';
import type { ScheduledTask } from '../platform/jobs/scheduled-tasks.ts';
import type { Closers } from '../platform/lifecycle/closers.ts';
import { createFaultLog } from '../platform/log/fault-log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Config } from '../platform/settings/config.ts';
import { purgeCopies } from './copies.ts';
import { runSweep, SWEEPS } from './sweep-job.ts';

export interface OpenSweepsOptions {
  readonly config: Pick<Config, 'sweeps'>;
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly closers: Closers;
  readonly checkPage: CheckPage;
  readonly due: DueJobs;
}

/** Stores that this node checks pages of at a time, each one page after another. */
const STORES = 2;

/** Checks pages of stores for as long as the service runs, unless that is turned off. Answers what is done beside it. */
export function openSweeps(options: OpenSweepsOptions): readonly ScheduledTask[] {
  const { config, db, clock, logger, metrics, closers, checkPage, due } = options;
  const purge = { name: 'purge copies', every: 3_600_000, run: () => purgeCopies(db, clock()) };
  if (!config.sweeps.isOn) return [purge];
  // stores share nothing but hosts, which have budgets
  const queue = openJobQueue({ db, name: SWEEPS, perResource: 1_000 });
  const onFault = createFaultLog((err, times) => {
    logger.warn({ err, times }, 'pages of a store cannot be checked at the moment; it is tried again');
  }, clock);
  const { settings } = config.sweeps;
  const sweeping = { db, clock, queue, checkPage, settings, onPage: metrics.onSweptPage };
  const worker = startJobWorker({
    queue,
    due,
    concurrent: STORES,
    run: (job, signal) => runSweep(job, sweeping, signal),
    onFault,
  });
  closers.add('sweeps', worker.close);
  return [purge, countPages(db, metrics)];
}

function countPages(db: Database, metrics: Metrics): ScheduledTask {
  let pages: Readonly<Record<string, number>> | null = null;
  metrics.watchSweeps(() => pages);
  const run = async () => {
    const { rows } = await sql<{ result: string; pages: number }>`
      select result, sum(pages)::float8 as pages from sweep_counts group by result`.execute(db);
    pages = Object.fromEntries(rows.map((row) => [row.result, row.pages]));
  };
  // nobody waits for it: no start may depend on a count, and the task logs what fails
  run().catch(() => {});
  return { name: 'count swept pages', every: 60_000, run };
}
