import { fromKysely, PgBoss } from 'pg-boss';
import type { Connection, DatabaseTransaction } from '../database/database.ts';
import { underMigrationLock } from '../database/migrate.ts';

/** Schema in which pg-boss keeps its tables, beside ours. */
export const JOB_SCHEMA = 'touchstone_jobs';

export interface QueueSettings {
  readonly name: string;
  /** Attempts beyond the first. */
  readonly retries: number;
  /** Seconds before the second attempt; doubled each time, up to `maxRetryDelay`. */
  readonly retryDelay: number;
  readonly maxRetryDelay: number;
}

export interface NewJob {
  readonly id: string;
  /** Jobs of one group are run a few at a time only, over all nodes. */
  readonly group: string;
}

export interface OpenJob {
  readonly id: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly isLastAttempt: boolean;
}

/**
 * One durable queue in the service's own database. A job is added, completed and failed inside the caller's
 * transaction, together with what it is about; one whose node is gone is handed out again.
 */
export interface JobQueue {
  readonly name: string;
  add(trx: DatabaseTransaction, jobs: readonly NewJob[]): Promise<void>;
  take(count: number, perGroup: number): Promise<OpenJob[]>;
  /** Says that these are still worked on; to be called more often than every `SILENCE` seconds. */
  touch(ids: readonly string[]): Promise<void>;
  complete(trx: DatabaseTransaction, id: string): Promise<void>;
  /** Takes jobs back, worked on or not. */
  cancel(trx: DatabaseTransaction, ids: readonly string[]): Promise<void>;
  /** Tries it again later, unless that was the last attempt. */
  fail(trx: DatabaseTransaction, id: string, code: string): Promise<void>;
  close(): Promise<void>;
}

/** Seconds without a sign of life after which a job counts as abandoned. */
export const SILENCE = 15;

/** Seconds between looks for abandoned jobs. */
const WATCH = 5;

/** Seconds that one attempt may take; far more than any does. */
const EXPIRY = 300;

/** Seconds that finished jobs are kept, for whoever looks into the tables. */
const KEPT = 3_600;

/** Opens the queue, and makes pg-boss's schema and the queue where they are missing. */
export async function openJobQueue(
  connection: Connection,
  settings: QueueSettings,
  onTrouble: (error: Error) => void,
): Promise<JobQueue> {
  const boss = new PgBoss({
    ...connection,
    schema: JOB_SCHEMA,
    application_name: 'touchstone jobs',
    max: 2,
    schedule: false,
    superviseIntervalSeconds: WATCH,
    monitorIntervalSeconds: WATCH,
  });
  boss.on('error', onTrouble);
  const { name } = settings;
  const options = {
    retryLimit: settings.retries,
    retryDelay: settings.retryDelay,
    retryBackoff: true,
    retryDelayMax: settings.maxRetryDelay,
    heartbeatSeconds: SILENCE,
    expireInSeconds: EXPIRY,
    deleteAfterSeconds: KEPT,
  };
  await underMigrationLock(connection, async () => {
    await boss.start();
    await boss.createQueue(name, { policy: 'standard', ...options });
    await boss.updateQueue(name, options);
  });
  const within = (trx: DatabaseTransaction) => ({ db: fromKysely(trx) });
  return {
    name,
    async add(trx, jobs) {
      const rows = jobs.map(({ id, group }) => ({ id, group: { id: group } }));
      await boss.insert(name, rows, within(trx));
    },
    async take(count, perGroup) {
      const jobs = await boss.fetch(name, {
        batchSize: count,
        groupConcurrency: perGroup,
        includeMetadata: true,
      });
      return jobs.map(({ id, retryCount, retryLimit }) => ({
        id,
        attempt: retryCount + 1,
        isLastAttempt: retryCount >= retryLimit,
      }));
    },
    async touch(ids) {
      if (ids.length > 0) await boss.touch(name, [...ids]);
    },
    async complete(trx, id) {
      await boss.complete(name, id, null, within(trx));
    },
    async cancel(trx, ids) {
      if (ids.length > 0) await boss.cancel(name, [...ids], within(trx));
    },
    async fail(trx, id, code) {
      await boss.fail(name, id, { code }, within(trx));
    },
    close: () => boss.stop({ graceful: false }),
  };
}
