import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { StoreKey } from '../registry/find-store.ts';
import type { IssueBatch } from './issue-batch.ts';
import { CERTIFICATES_AHEAD } from './order-certificates.ts';
import { releaseEarlierRuns } from './release-due-products.ts';

export interface IssueJobOptions {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly clock: Clock;
  readonly issueBatch: IssueBatch;
}

/** Batches of one store at a time: one is signed while others are read or written, or wait for the transparency log, without a connection. */
export const CONCURRENT_BATCHES = 6;
/** Milliseconds after which a store yields to others that are waiting. */
const TIME_SLICE = 5_000;
/** Seconds between two runs for renewals: those that become due in between share a run. */
const RENEWAL_INTERVAL = { least: 60, most: 3_600 };
/** Seconds before a failed attempt is repeated; doubled each time. */
const RETRY = { first: 5, doublings: 6 };
/** Rows of a deleted store deleted by one statement. */
const DELETE_BATCH = 5_000;

/** Issues the due certificates of a store until none is left or other stores are waiting. */
export async function runIssueJob(job: Job, options: IssueJobOptions, signal: AbortSignal): Promise<void> {
  const { db, queue } = options;
  const store = { id: job.subject, merchantId: job.owner };
  try {
    if (!(await isPresent(db, store))) {
      await deleteLinesOf(db, store, signal);
      await queue.drop(job);
      return;
    }
    await releaseEarlierRuns(db, store, job.lease);
    const isDone = await issueSlice(job, options, signal);
    if (isDone)
      await db
        .updateTable('certificate_stores')
        .set({ idle: true })
        .where('merchant_id', '=', store.merchantId)
        .where('store_id', '=', store.id)
        .where('idle', '=', false)
        .execute();
    const again = isDone ? await secondsToNextRun(db, store, options.clock()) : 0.05;
    await inTransaction(db, (trx) => queue.finish(trx, job, { result: 'done' }, again));
  } catch (error) {
    if (signal.aborted) throw error;
    await retryLater(job, options, error);
    throw error;
  }
}

/** @returns whether nothing is left to do for now */
async function issueSlice(job: Job, options: IssueJobOptions, signal: AbortSignal): Promise<boolean> {
  const begun = performance.now();
  const store = { id: job.subject, merchantId: job.owner };
  let state: 'running' | 'done' | 'yielded' = 'running';
  const issueBatches = async () => {
    while (state === 'running') {
      signal.throwIfAborted();
      if ((await options.issueBatch(store, job.lease)) === 0) state = 'done';
      else if (performance.now() - begun > TIME_SLICE && (await othersWait(options.db))) state = 'yielded';
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENT_BATCHES }, issueBatches));
  for (const { status, ...rest } of ended)
    if (status === 'rejected') throw (rest as { reason: unknown }).reason;
  // TypeScript does not see that the batches have assigned it
  return (state as string) === 'done';
}

async function othersWait(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from jobs where queue = ${CERTIFICATES_AHEAD} and state = 'ready' limit 1`.execute(db);
  return rows.length > 0;
}

async function isPresent(db: Database, { id, merchantId }: StoreKey): Promise<boolean> {
  const store = await db
    .selectFrom('stores')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return store !== undefined;
}

/** Nobody asks for the certificates of a deleted store, or for its stream. */
async function deleteLinesOf(db: Database, { id, merchantId }: StoreKey, signal: AbortSignal): Promise<void> {
  for (const table of ['certificate_due', 'certificate_lines']) {
    for (let deleted = DELETE_BATCH; deleted === DELETE_BATCH; ) {
      signal.throwIfAborted();
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where merchant_id = ${merchantId} and product_id = any(array(
          select product_id from ${sql.table(table)}
          where merchant_id = ${merchantId} and store_id = ${id} limit ${DELETE_BATCH}
          for update skip locked))`.execute(db);
      deleted = Number(numAffectedRows ?? 0n);
    }
  }
  await db
    .updateTable('certificate_stores')
    .set({ certificates: 0, visit_after: null })
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', id)
    .execute();
}

/** 0: the job rests until something becomes due. */
async function secondsToNextRun(db: Database, { id, merchantId }: StoreKey, now: Date): Promise<number> {
  const { rows } = await sql<{ due: number | null; renewed: Date | null }>`
    select extract(epoch from (select min(due_at) from certificate_due
        where merchant_id = ${merchantId} and store_id = ${id}) - now())::float8 as due,
      (select min(renew_at) from certificate_lines where merchant_id = ${merchantId} and store_id = ${id}) as renewed`.execute(
    db,
  );
  const [{ due = null, renewed = null } = {}] = rows;
  const untilRenewal = renewed === null ? null : (renewed.getTime() - now.getTime()) / 1000;
  const waits = [
    // products that others hold at the moment are checked again, whatever becomes of them
    ...(due === null ? [] : [Math.max(1, due)]),
    ...(untilRenewal === null
      ? []
      : [Math.min(RENEWAL_INTERVAL.most, Math.max(RENEWAL_INTERVAL.least, untilRenewal))]),
  ];
  return waits.length === 0 ? 0 : Math.min(...waits);
}

async function retryLater(job: Job, { db, queue, clock }: IssueJobOptions, error: unknown): Promise<void> {
  const isKnown = error instanceof ServiceError;
  const failure = {
    code: isKnown ? error.code : 'internal',
    detail: isKnown ? error.publicMessage : '',
    at: clock().toISOString(),
    attempts: job.attempt,
  };
  const wait = RETRY.first * 2 ** Math.min(job.attempt - 1, RETRY.doublings);
  await inTransaction(db, (trx) => queue.retry(trx, job, failure, wait)).catch(() => {
    // the database is not reachable: the job is taken again when its lease expires
  });
}
