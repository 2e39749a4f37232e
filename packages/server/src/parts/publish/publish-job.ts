import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import type { RenderedDocument } from '../../platform/http/rendered-document.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import { KEYS_PATH } from './copy-paths.ts';
import type { Destination } from './destination.ts';
import { KEYS_JOB } from './order-copies.ts';
import { type CopySources, publishBatch, takeDue } from './publish-batch.ts';
import { type DocumentsOptions, publishDocuments } from './publish-documents.ts';

export interface PublishOptions extends CopySources, DocumentsOptions {
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly getKeys: () => RenderedDocument<unknown> | Promise<RenderedDocument<unknown>>;
  /** The place, once it is known to be ours. */
  readonly claimed: () => Promise<Destination>;
}

/** Milliseconds after which a merchant yields to others. */
const TIME_SLICE = 5_000;
/** Seconds until the keys are looked at again: changes are ordered only when a key is revoked. */
const KEYS_EVERY = 60;
/** Seconds before a failed attempt is repeated; doubled each time. */
const RETRY = { first: 2, doublings: 5 };
/** Products of a visit that become due by one statement. */
const VISITED = 1_000;

/** Brings the copies of one merchant, or of the keys, up to date. */
export async function runPublishJob(job: Job, options: PublishOptions, signal: AbortSignal): Promise<void> {
  const { db, queue } = options;
  try {
    const again =
      job.subject === KEYS_JOB ? await publishKeys(options) : await publishSlice(job, options, signal);
    await inTransaction(db, (trx) => queue.finish(trx, job, { result: 'done' }, again));
  } catch (error) {
    if (!signal.aborted) await retryLater(job, options, error);
    throw error;
  }
}

async function publishKeys(options: PublishOptions): Promise<number> {
  const { getKeys, claimed, forget } = options;
  const destination = await claimed();
  forget('k:*');
  for (let written = ''; ; ) {
    const keys = await getKeys();
    if (keys.etag === written) break;
    written = keys.etag;
    await destination.put(KEYS_PATH, { bytes: keys.body.bytes, etag: keys.etag, headers: keys.headers });
  }
  await publishDocuments(options, destination);
  return KEYS_EVERY;
}

/** @returns seconds until there is something to do; 0: when it is ordered */
async function publishSlice(job: Job, options: PublishOptions, signal: AbortSignal): Promise<number> {
  const { db } = options;
  const destination = await options.claimed();
  const begun = performance.now();
  while (performance.now() - begun < TIME_SLICE) {
    signal.throwIfAborted();
    const due = await takeDue(db, job.subject);
    // a visit withdraws what a pause or a deleted store has withdrawn, so that it precedes what is issued
    const isOrdinary = due[0]?.is_first !== true;
    if (isOrdinary && (await visitNext(db, job.subject))) continue;
    if (due.length === 0) return secondsToNext(db, job.subject);
    await publishBatch({ ...options, destination, signal }, job.subject, due);
  }
  return 0.05;
}

/**
 * Makes the next products of a visit due: those that are active, and those of which there may be a copy.
 *
 * @returns false if there is no visit
 */
async function visitNext(db: Database, merchantId: string): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ visit_after: string; anew: boolean }>`
      select visit_after, anew from published_visits
      where merchant_id = ${merchantId} and visit_after is not null for update`.execute(trx);
    const [visit] = rows;
    if (visit === undefined) return false;
    const { rows: products } = await sql<{ id: string; created_order: string; is_active: boolean }>`
      select id, created_order, product_standing(deleted_at, disabled, visible, host_known, slot_order) = 'active' as is_active
      from products where merchant_id = ${merchantId} and created_order > ${visit.visit_after}
      order by created_order limit ${VISITED}`.execute(trx);
    await sql`
      insert into published_certificates as copy (merchant_id, product_id, due_at)
        select ${merchantId}, id, to_timestamp(1)
        from unnest(${products.map(({ id }) => id)}::uuid[], ${products.map(({ is_active }) => is_active)}::boolean[])
          as visited (id, is_active)
        where is_active or exists (
          select from published_certificates e where e.merchant_id = ${merchantId} and e.product_id = visited.id)
        order by id
      on conflict (merchant_id, product_id) do update set orders = copy.orders + 1, due_at = least(copy.due_at, excluded.due_at),
        etag = case when ${visit.anew} then null else copy.etag end,
        page_etag = case when ${visit.anew} then null else copy.page_etag end`.execute(trx);
    const isLast = products.length < VISITED;
    await sql`
      update published_visits set visit_after = ${isLast ? null : (products.at(-1)?.created_order ?? null)},
        anew = anew and ${!isLast}
      where merchant_id = ${merchantId}`.execute(trx);
    return true;
  });
}

async function secondsToNext(db: Database, merchantId: string): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from min(due_at) - now())::float8 as seconds from published_certificates
    where merchant_id = ${merchantId} and due_at is not null`.execute(db);
  const seconds = rows[0]?.seconds ?? null;
  return seconds === null ? 0 : Math.max(0.05, seconds);
}

async function retryLater(job: Job, { db, queue, clock }: PublishOptions, error: unknown): Promise<void> {
  const failure = {
    code: 'publish_failed',
    detail: error instanceof Error ? error.message : String(error),
    at: clock().toISOString(),
    attempts: job.attempt,
  };
  const wait = RETRY.first * 2 ** Math.min(job.attempt - 1, RETRY.doublings);
  await inTransaction(db, (trx) => queue.retry(trx, job, failure, wait)).catch(() => {
    // the database is not reachable: the job is taken again when its lease expires
  });
}
