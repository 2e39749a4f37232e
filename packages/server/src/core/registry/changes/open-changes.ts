import { sql } from 'kysely';
import type { Logger } from 'pino';
import { secondsSince } from '../../../platform/clock.ts';
import { type Database, inTransaction, onlyRow } from '../../../platform/database/database.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import { openJobQueue } from '../../../platform/jobs/job-queue.ts';
import { openWorker, type WorkerContext } from '../../../platform/jobs/open-worker.ts';
import { countPeriodically } from '../../../platform/jobs/periodic-count.ts';
import type { ScheduledTask } from '../../../platform/jobs/scheduled-tasks.ts';
import { createFaultWarning } from '../../../platform/log/fault-log.ts';
import type { Metrics } from '../../../platform/metrics/metrics.ts';
import type { Registry } from '../context.ts';
import { REGISTRY_CHANGES } from './make-change.ts';
import { runChanges } from './run-changes.ts';

export interface ChangesOptions extends WorkerContext {
  readonly registry: Registry;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Merchants whose changes run concurrently over all nodes: each occupies one connection of the database. */
const AT_ONCE = 2;
/** Seconds after a fault until the next attempt; the changes are never given up. */
const RETRY = 5;
const COUNT_EVERY = 10_000;

/** Applies pending changes to products for as long as the service runs. Returns the task that counts them for the metrics. */
export function openChanges(options: ChangesOptions): ScheduledTask {
  const { registry, logger } = options;
  const { db, clock } = registry;
  const queue = openJobQueue({ db, name: REGISTRY_CHANGES, perResource: AT_ONCE });
  const onFault = createFaultWarning(
    { logger, clock },
    'a change of the registry has not reached its products yet; it is tried again',
  );
  const run = async (job: Job, signal: AbortSignal) => {
    try {
      await runChanges(job, { registry, queue }, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      onFault(error);
      const detail = error instanceof Error ? error.message : String(error);
      const failure = { code: 'fault', detail, at: clock().toISOString(), attempts: job.attempt };
      await inTransaction(db, (trx) => queue.postpone(trx, job, failure, RETRY));
    }
  };
  const worker = openWorker(options, {
    name: 'registry changes',
    queue,
    concurrent: AT_ONCE,
    run,
    onFault,
    wakesOnChange: true,
  });
  return countPending(options, worker.running);
}

function countPending({ registry, metrics }: ChangesOptions, running: () => number): ScheduledTask {
  const { db, clock } = registry;
  const pending = countPeriodically({
    name: 'count registry changes',
    every: COUNT_EVERY,
    count: () => readPending(db),
  });
  const gauge = (name: string, help: string, read: () => number | null) =>
    metrics.gauge({ name: `registry_${name}`, help }, read);
  const counted = 'over all nodes, counted every 10 seconds.';
  gauge(
    'changes_pending',
    `Changes still being applied to products, ${counted}`,
    () => pending.latest()?.count ?? null,
  );
  gauge(
    'change_products_waiting',
    `Products that such changes have not reached yet, ${counted}`,
    () => pending.latest()?.products ?? null,
  );
  gauge('change_oldest_seconds', 'How long the oldest of them has been pending; 0: none is.', () =>
    secondsSince(pending.latest()?.oldest, clock()),
  );
  gauge('changes_running', 'Merchants whose changes this node works on now.', running);
  return pending.task;
}

interface PendingChanges {
  readonly count: number;
  /** Products still to be changed, as far as they were counted. */
  readonly products: number;
  /** When the oldest pending change was requested; `null`: none is pending. */
  readonly oldest: Date | null;
}

async function readPending(db: Database): Promise<PendingChanges> {
  const { rows } = await sql<PendingChanges>`
    select count(*)::int as count, min(created_at) as oldest,
      coalesce(sum(greatest(total - done, 0)), 0)::float as products
    from registry_changes where finished_at is null`.execute(db);
  return onlyRow(rows);
}
