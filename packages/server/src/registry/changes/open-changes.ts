import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { ChangeHub } from '../../platform/cache/changes.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import type { DueJobs } from '../../platform/jobs/due-jobs.ts';
import { type Job, openJobQueue } from '../../platform/jobs/job-queue.ts';
import { startJobWorker } from '../../platform/jobs/job-worker.ts';
import type { ScheduledTask } from '../../platform/jobs/scheduled-tasks.ts';
import type { Closers } from '../../platform/lifecycle/closers.ts';
import { createFaultLog } from '../../platform/log/fault-log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Registry } from '../context.ts';
import { REGISTRY_CHANGES } from './make-change.ts';
import { runChanges } from './run-changes.ts';

export interface ChangesOptions {
  readonly registry: Registry;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly closers: Closers;
  readonly changes: ChangeHub;
  readonly due: DueJobs;
}

/** Merchants whose changes run at a time over all nodes: each keeps one connection of the database busy. */
const AT_ONCE = 2;
/** Seconds after a fault until the next attempt; the changes are never given up. */
const RETRY = 5;
const COUNT_EVERY = 10_000;

/** Has products follow pending changes, for as long as the service runs. Answers the task that counts them for the metrics. */
export function openChanges(options: ChangesOptions): ScheduledTask {
  const { registry, logger, closers, changes, due } = options;
  const { db, clock } = registry;
  const queue = openJobQueue({ db, name: REGISTRY_CHANGES, perResource: AT_ONCE });
  const onFault = createFaultLog((err, times) => {
    logger.warn(
      { err, times },
      'products do not follow a change of the registry at the moment; it is tried again',
    );
  }, clock);
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
  const worker = startJobWorker({ queue, due, concurrent: AT_ONCE, run, onFault });
  // whatever orders one is announced as a change
  const unsubscribe = changes.subscribe(worker.wake);
  closers.add('registry changes', () => {
    unsubscribe();
    return worker.close();
  });
  return countPending(options, worker.running);
}

function countPending({ registry, metrics }: ChangesOptions, running: () => number): ScheduledTask {
  let pending: PendingChanges | null = null;
  metrics.watchRegistryChanges({ running, pending: () => pending, clock: registry.clock });
  const run = async () => {
    pending = await readPending(registry.db);
  };
  // nobody waits for it: no start may depend on a count, and the task logs what fails
  run().catch(() => {});
  return { name: 'count registry changes', every: COUNT_EVERY, run };
}

type PendingChanges = NonNullable<ReturnType<Parameters<Metrics['watchRegistryChanges']>[0]['pending']>>;

async function readPending(db: Database): Promise<PendingChanges> {
  const { rows } = await sql<PendingChanges>`
    select count(*)::int as count, min(created_at) as oldest,
      coalesce(sum(greatest(total - done, 0)), 0)::float as products
    from registry_changes where finished_at is null`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a count answers one row');
  return row;
}
