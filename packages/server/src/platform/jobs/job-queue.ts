import { sql, type UpdateObject } from 'kysely';
import type { JobFailure } from '../database/column-types.ts';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { type ClaimOptions, createClaim } from './claim-jobs.ts';
import type { Job } from './job.ts';

export interface JobQueueOptions extends Omit<ClaimOptions, 'lease'> {
  /** Seconds for which a node holds a job without renewing its lease. Default: 15. */
  readonly lease?: number;
}

export type JobEnd =
  | { readonly result: 'done' }
  | { readonly result: 'failed'; readonly failure: JobFailure };

/**
 * The jobs of one queue: rows of the table `jobs`, one for each subject, claimed by any number of nodes.
 *
 * A run ends in the caller's transaction, together with its results. The methods return false if this node no longer holds the
 * job: then the transaction must record nothing. If the job was requested again in the meantime, it becomes ready again, whatever
 * the result of the run.
 */
export interface JobQueue {
  readonly name: string;
  /** Seconds for which this node holds a claimed job; `keep` must be called more often. */
  readonly lease: number;
  /** Claims up to `count` jobs, owner by owner, within the limits of their resources. */
  claim(count: number): Promise<Job[]>;
  /** Renews the leases of jobs that are running. */
  keep(jobs: readonly Job[]): Promise<void>;
  /** Records that a part of the job is done, which resets its attempts and interruptions. */
  progressed(trx: DatabaseTransaction, job: Job): Promise<boolean>;
  /** @param again - seconds until it is due again; 0: only when it is ordered */
  finish(trx: DatabaseTransaction, job: Job, end: JobEnd, again: number): Promise<boolean>;
  /** Repeats the job after `wait` seconds; the attempt counts. */
  retry(trx: DatabaseTransaction, job: Job, failure: JobFailure, wait: number): Promise<boolean>;
  /** Repeats the job after `wait` seconds; the attempts made so far do not count. */
  postpone(trx: DatabaseTransaction, job: Job, failure: JobFailure, wait: number): Promise<boolean>;
  /** Ends a job without a result, because its subject no longer exists. */
  drop(job: Job): Promise<boolean>;
  /** Returns an unfinished job to the queue, where any node may claim it at once. */
  release(job: Job): Promise<boolean>;
  /** The same for a job that makes room for others: other owners are served first. */
  displace(job: Job): Promise<boolean>;
  /** Ready jobs whose resource is free, counted up to `most`. */
  countWaiting(most: number): Promise<number>;
}

const IDLE = { state: 'idle', due_at: null } as const;

export function openJobQueue(options: JobQueueOptions): JobQueue {
  const { db, name, lease = 15 } = options;

  const end = async (
    trx: Database | DatabaseTransaction,
    job: Job,
    set: UpdateObject<Tables, 'jobs'>,
  ): Promise<boolean> => {
    const mine = trx
      .updateTable('jobs')
      .where('queue', '=', name)
      .where('subject', '=', job.subject)
      .where('lease', '=', job.lease)
      .set({ lease: null, leased_until: null });
    const ended = await mine.set(set).where('orders', '=', job.orders).executeTakeFirst();
    if (ended.numUpdatedRows === 1n) return true;
    const ordered = await mine.set({ state: 'ready', attempts: 0 }).executeTakeFirst();
    return ordered.numUpdatedRows === 1n;
  };

  return {
    name,
    lease,
    claim: createClaim({ ...options, lease }),
    async keep(jobs) {
      const leases = jobs.map((job) => job.lease);
      // locked in the order of their keys, as by `orderSubjects`
      await sql`
        with mine as (
          select subject from jobs where queue = ${name} and state = 'running' and lease = any(${leases}::uuid[])
          order by subject for update)
        update jobs set leased_until = now() + make_interval(secs => ${lease})
        where queue = ${name} and subject = any(array(select subject from mine)) and lease = any(${leases}::uuid[])`.execute(
        db,
      );
    },
    async progressed(trx, job) {
      const { numUpdatedRows } = await trx
        .updateTable('jobs')
        .set({ interrupted: 0, attempts: 1 })
        .where('queue', '=', name)
        .where('subject', '=', job.subject)
        .where('lease', '=', job.lease)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    finish: (trx, job, { result, ...why }, again) =>
      end(trx, job, {
        ...(again === 0 ? IDLE : dueIn(again)),
        result,
        failure: 'failure' in why ? JSON.stringify(why.failure) : null,
        attempts: 0,
        interrupted: 0,
        finished_at: sql<Date>`now()`,
      }),
    retry: (trx, job, failure, wait) =>
      end(trx, job, { ...dueIn(wait), failure: JSON.stringify(failure), interrupted: 0 }),
    postpone: (trx, job, failure, wait) =>
      end(trx, job, { ...dueIn(wait), failure: JSON.stringify(failure), attempts: 0, interrupted: 0 }),
    drop: (job) => end(db, job, { ...IDLE, attempts: 0, interrupted: 0 }),
    release: (job) => end(db, job, { state: 'ready', attempts: job.attempt - 1 }),
    displace: (job) =>
      end(db, job, {
        state: 'ready',
        attempts: job.attempt - 1,
        displaced: true,
        due_at: sql<Date>`clock_timestamp()`,
      }),
    async countWaiting(most) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from (
          select from jobs j where queue = ${name} and state = 'ready' and not exists (
            select from jobs where queue = ${name} and state = 'running' and resource = j.resource
            offset ${options.perResource - 1})
          limit ${most}) waiting`.execute(db);
      return rows[0]?.count ?? 0;
    },
  };
}

/**
 * Ends the leases of all queues, so that jobs of a node that crashed need not wait for their leases to expire. To be called only
 * while no node runs jobs.
 */
export async function endLeases(db: Database): Promise<void> {
  await sql`update jobs set leased_until = '-infinity' where state = 'running'`.execute(db);
}

/** Due after `seconds`, varied by a tenth, so that jobs that became due together do not do so again. */
function dueIn(seconds: number) {
  const due_at = sql<Date>`now() + make_interval(secs => ${seconds} * (0.9 + 0.2 * random()))`;
  return { state: 'scheduled', due_at } as const;
}
