import type { FailedImage, FailedImageList, ImageProgress } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { JobFailure } from '../platform/database/tables.ts';
import type { Scope } from '../platform/http/access.ts';
import { orderJobs } from '../platform/jobs/job-queue.ts';
import type { ScheduledTask } from '../platform/jobs/scheduled-tasks.ts';
import type { ImageCounts, Metrics } from '../platform/metrics/metrics.ts';
import type { Registry } from '../registry/context.ts';
import { findStore } from '../registry/find-store.ts';
import { IMAGE_SCANS } from '../registry/products/product-images.ts';
import { failureOf } from './scan-error.ts';

/** Seconds over which the rate of scanning is averaged. */
const RATE_SPAN = 60;

const LIVE = sql`i.removed_at is null and p.deleted_at is null`;

/** How far scanning a store's images has come. Throws `store_unknown`. */
export async function imageProgress(
  registry: Registry,
  scope: Scope,
  storeId: string,
): Promise<ImageProgress> {
  const store = await findStore(registry.db, scope, storeId);
  const { rows } = await sql<ImageProgress>`
    select count(*)::int as total,
      count(*) filter (where j.result = 'done')::int as done,
      count(*) filter (where j.result = 'failed')::int as failed,
      count(*) filter (where j.result is null)::int as waiting,
      count(*) filter (where i.credentials->>'hasC2PA' = 'true')::int as certified,
      count(*) filter (where i.signed_by_us)::int as "signedByUs",
      count(*) filter (where j.failure is not null and j.result is distinct from 'failed')::int as retrying,
      round(count(*) filter (where j.finished_at > now() - make_interval(secs => ${RATE_SPAN}))
        / ${RATE_SPAN}::numeric, 2)::float as "perSecond"
    from jobs j
    join images i on i.id = j.subject
    join products p on p.id = i.product_id
    where j.queue = ${IMAGE_SCANS} and j.owner = ${store.id} and ${LIVE}`.execute(registry.db);
  const [row] = rows;
  if (row === undefined) throw new Error('a count answers one row');
  return row;
}

/** Images that were given up for now, with why and what to do; by id. Throws `store_unknown`. */
export async function failedImages(
  registry: Registry,
  scope: Scope,
  storeId: string,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<FailedImageList> {
  const store = await findStore(registry.db, scope, storeId);
  const { rows } = await sql<FailedRow>`
    select i.id, i.url, i.product_id, p.external_product_id, j.failure, j.due_at
    from jobs j
    join images i on i.id = j.subject
    join products p on p.id = i.product_id
    where j.queue = ${IMAGE_SCANS} and j.owner = ${store.id} and j.result = 'failed' and ${LIVE}
      and (${cursor ?? null}::uuid is null or i.id > ${cursor ?? null}::uuid)
    order by i.id limit ${limit + 1}`.execute(registry.db);
  const images = rows.slice(0, limit).map(toFailed);
  const last = images.at(-1);
  return { images, ...(rows.length > limit && last !== undefined ? { nextCursor: last.id } : {}) };
}

/** Has the failed images of a store, all or some, scanned again now. Throws `store_unknown`. */
export async function retryImages(
  registry: Registry,
  scope: Scope,
  storeId: string,
  imageIds: readonly string[] | undefined,
): Promise<{ retried: number }> {
  const store = await findStore(registry.db, scope, storeId);
  const which =
    imageIds === undefined
      ? sql`true`
      : sql`subject = any(${imageIds.map((id) => id.toLowerCase())}::uuid[])`;
  return {
    retried: await orderJobs(registry.db, IMAGE_SCANS, store.id, sql`result = 'failed' and ${which}`),
  };
}

interface FailedRow {
  id: string;
  url: string;
  product_id: string;
  external_product_id: string;
  failure: JobFailure | null;
  due_at: Date | null;
}

function toFailed(row: FailedRow): FailedImage {
  const { code, detail, at, attempts } = row.failure ?? {
    code: 'image_fault',
    detail: '',
    at: '',
    attempts: 0,
  };
  const { sentence, nextStep } = failureOf(code);
  return {
    id: row.id,
    url: row.url,
    productId: row.product_id,
    externalProductId: row.external_product_id,
    code,
    message: detail === '' ? sentence : `${sentence} ${detail}`,
    nextStep,
    attempts,
    failedAt: at,
    ...(row.due_at === null ? {} : { nextAttemptAt: row.due_at.toISOString() }),
  };
}

/**
 * Shows in the metrics what is left to do with images. Counted at the start and then once a minute, however often the
 * metrics are scraped; on nodes that scan nothing, too, so that it shows when no node does.
 *
 * @param running - images that this node scans now
 */
export function countImages(
  { db, clock, metrics }: { readonly db: Database; readonly clock: Clock; readonly metrics: Metrics },
  running: () => number,
): ScheduledTask {
  let left: ImageCounts | null = null;
  metrics.watchImages({ underWay: running, left: () => left, clock });
  const run = async () => {
    left = await countScans(db);
  };
  // nobody waits for it: no start may depend on a count, and the task logs what fails
  run().catch(() => {});
  return { name: 'count images', every: 60_000, run };
}

/** Counts by the index of results: what is done, nearly all of a large catalogue, is not read. */
export async function countScans(db: Database): Promise<ImageCounts> {
  const { rows } = await sql<ImageCounts>`
    select waiting.count as waiting, failed.count as failed, waiting.oldest as "oldestWaiting"
    from (
      select count(*)::int as count, min(coalesce((j.failure->>'since')::timestamptz, j.due_at)) as oldest
      from jobs j join stores s on s.id = j.owner
      -- of images that have gone, nothing is due
      where j.queue = ${IMAGE_SCANS} and j.result is null and j.state <> 'idle' and s.deleted_at is null
    ) waiting, (
      select count(*)::int as count
      from jobs j join images i on i.id = j.subject join products p on p.id = i.product_id
      where j.queue = ${IMAGE_SCANS} and j.result = 'failed' and ${LIVE}
    ) failed`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a count answers one row');
  return row;
}
