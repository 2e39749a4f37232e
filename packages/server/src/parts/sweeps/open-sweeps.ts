import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { CheckPage } from '../../core/page-checks/check-page.ts';
import type { OpenPart } from '../../core/part.ts';
import type { Emit } from '../../core/registry/events.ts';
import type { Database } from '../../platform/database/database.ts';
import { openJobQueue } from '../../platform/jobs/job-queue.ts';
import { countPeriodically } from '../../platform/jobs/periodic-count.ts';
import type { ScheduledTask } from '../../platform/jobs/scheduled-tasks.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { addMissingStores, SWEEPS } from './order-sweeps.ts';
import type { SweepContext } from './read-sweep.ts';
import { sweepRoutes } from './routes.ts';
import { runSweep } from './sweep-job.ts';

export interface OpenSweepsOptions extends SweepContext {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly checkPage: CheckPage;
  readonly emit: Emit;
}

/** Stores whose pages this node checks concurrently; the pages of one store are checked one after another. */
const CONCURRENT_STORES = 2;

export function openSweeps(options: OpenSweepsOptions): OpenPart {
  const { isOn, settings, db, clock, logger, metrics, checkPage, emit } = options;
  const routes = sweepRoutes({ db, clock, isOn, settings });
  const add = {
    name: 'add stores without sweeps',
    every: 600_000,
    atStart: true,
    run: () => addMissingStores(db),
  };
  if (!isOn) return { routes, tasks: [add] };
  // the resource of a job is its store; hosts that several stores share have separate budgets
  const queue = openJobQueue({ db, name: SWEEPS, perResource: 1_000 });
  const onPage = metrics.labelledCounter({
    name: 'swept_pages_total',
    help: 'Pages checked by sweeps of this node, by result.',
    label: 'result',
  });
  return {
    routes,
    queues: [
      {
        name: 'sweeps',
        queue,
        concurrent: CONCURRENT_STORES,
        run: (job, signal) => runSweep(job, { db, clock, queue, checkPage, emit, settings, onPage }, signal),
        onFault: createFaultWarning(
          { logger, clock },
          'pages of a store cannot be checked at the moment; it is tried again',
        ),
      },
    ],
    tasks: [add, countPages(db, metrics)],
  };
}

function countPages(db: Database, metrics: Metrics): ScheduledTask {
  const pages = countPeriodically({
    name: 'count swept pages',
    every: 60_000,
    count: async () => {
      const { rows } = await sql<{ result: string; pages: number }>`
        select result, sum(pages)::float8 as pages from sweep_counts group by result`.execute(db);
      return Object.fromEntries(rows.map((row) => [row.result, row.pages]));
    },
  });
  metrics.labelledGauge(
    {
      name: 'pages',
      help: 'Pages of all stores by the result of their last check; counted once a minute.',
      label: 'result',
    },
    pages.latest,
  );
  return pages.task;
}
