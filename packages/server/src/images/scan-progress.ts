import type { ImageProgress } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Scope } from '../platform/http/access.ts';
import { orderJobs } from '../platform/jobs/job-queue.ts';
import type { ScheduledTask } from '../platform/jobs/scheduled-tasks.ts';
import type { ImageCounts, Metrics } from '../platform/metrics/metrics.ts';
import type { Registry } from '../registry/context.ts';
import { findStore } from '../registry/find-store.ts';
import { IMAGE_SCANS } from '../registry/products/product-images.ts';

/** Seconds over which the rate of scanning is averaged. */
const RATE_SPAN = 60;

/** Of the tables images `i` and products `p`. */
export const LIVE = sql`i.removed_at is null and p.deleted_at is null`;

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
      count(*) filter (where i.signed_by_us and left(i.blob_key, 64) <> i.source_uhash)::int as "notServed",
      count(*) filter (where i.media_type not like 'image/%')::int as "noImage",
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
