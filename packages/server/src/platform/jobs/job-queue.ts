import { sql, type UpdateObject } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import type { JobFailure, Tables } from '../database/tables.ts';
import { type ClaimOptions, createClaim } from './claim-jobs.ts';
import type { Job } from './job.ts';

export interface JobQueueOptions extends Omit<ClaimOptions, 'lease'> {
  /** Seconds that a claimed job stays a node's without a sign of life; 15 unless a test says otherwise. */
  readonly lease?: number;
}

export type JobEnd =
  | { readonly result: 'done' }
  | { readonly result: 'failed'; readonly failure: JobFailure };

/**
 * The jobs of one queue: rows of the table `jobs`, one for each subject, claimed by any number of nodes.
 *
 * A run ends in the caller's transaction, together with what it brought about. The answer is false where the job is this
 * node's no more: then what it brought about must be forgotten. After an order that came meanwhile the job is ready
 * again, whatever its end.
 */
export interface JobQueue {
  readonly name: string;
  /** Seconds that a claimed job stays this node's; `keep` is to be called more often. */
  readonly lease: number;
  /** Takes up to so many jobs, owner by owner, none beyond what their resources allow. */
  claim(count: number): Promise<Job[]>;
  /** Says that these are still worked on. */
  keep(jobs: readonly Job[]): Promise<void>;
  /** A part of it is done: it counts as never interrupted. False where the job is this node's no more. */
  progressed(trx: DatabaseTransaction, job: Job): Promise<boolean>;
  /** @param again - seconds until it is due again; 0: not until it is ordered */
  finish(trx: DatabaseTransaction, job: Job, end: JobEnd, again: number): Promise<boolean>;
  /** Tries again in so many seconds; the attempt counts. */
  retry(trx: DatabaseTransaction, job: Job, failure: JobFailure, wait: number): Promise<boolean>;
  /** Begins anew in so many seconds, as if no attempt had been made. */
  postpone(trx: DatabaseTransaction, job: Job, failure: JobFailure, wait: number): Promise<boolean>;
  /** Its subject has gone: nothing is to be done until it is ordered. */
  drop(job: Job): Promise<boolean>;
  /** Gives back a job that was not worked on to its end, for anyone to take up at once. */
  release(job: Job): Promise<boolean>;
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
      // in the order of their keys, as whoever orders several locks them
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
  };
}

/**
 * Ends the leases of all queues, so that nobody waits for those of a node that ended without a word. For whoever knows that
 * no node runs jobs.
 */
export async function endLeases(db: Database): Promise<void> {
  await sql`update jobs set leased_until = '-infinity' where state = 'running'`.execute(db);
}

/** In so many seconds, give or take a tenth, so that what came together does not come together again. */
function dueIn(seconds: number) {
  const due_at = sql<Date>`now() + make_interval(secs => ${seconds} * (0.9 + 0.2 * random()))`;
  return { state: 'scheduled', due_at } as const;
}
