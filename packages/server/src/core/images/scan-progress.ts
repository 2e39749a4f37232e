import type { ImageProgress, ImageRetry } from '@touchstone/contract';
import { sql } from 'kysely';
import { type Clock, secondsSince } from '../../platform/clock.ts';
import { type Database, onlyRow } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/http/access.ts';
import { orderJobs } from '../../platform/jobs/order-jobs.ts';
import { countPeriodically } from '../../platform/jobs/periodic-count.ts';
import type { ScheduledTask } from '../../platform/jobs/scheduled-tasks.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Registry } from '../registry/context.ts';
import { findStore } from '../registry/find-store.ts';
import { IMAGE_SCANS } from '../registry/products/product-images.ts';

/** Seconds over which the rate of scanning is averaged: `fold_image_counts` keeps the times of this period. */
const RATE_SPAN = 60;

/** The progress of scanning a store's images. Throws `store_unknown`. */
export async function imageProgress(
  registry: Registry,
  scope: Scope,
  storeId: string,
): Promise<ImageProgress> {
  const store = await findStore(registry.db, scope, storeId);
  // the sums of image_totals(), and the rate, in one pass
  const { rows } = await sql<ImageProgress>`
    select coalesce(sum(total), 0)::int as total, coalesce(sum(done), 0)::int as done,
      coalesce(sum(failed), 0)::int as failed, coalesce(sum(waiting), 0)::int as waiting,
      coalesce(sum(retrying), 0)::int as retrying, coalesce(sum(certified - not_served), 0)::int as certified,
      coalesce(sum(signed_by_us), 0)::int as "signedByUs", coalesce(sum(not_served), 0)::int as "notServed",
      coalesce(sum(no_image), 0)::int as "noImage",
      round(coalesce(sum(finished) filter (where at > now() - make_interval(secs => ${RATE_SPAN})), 0)
        / ${RATE_SPAN}::numeric, 2)::float as "perSecond"
    from image_counts where store_id = ${store.id}`.execute(registry.db);
  return onlyRow(rows);
}

/** Orders new scans of all or some failed or uncertified images of a store. Throws `store_unknown`. */
export async function retryImages(
  registry: Registry,
  scope: Scope,
  storeId: string,
  { imageIds, which: wanted }: ImageRetry,
): Promise<{ retried: number }> {
  const store = await findStore(registry.db, scope, storeId);
  const which =
    imageIds === undefined
      ? sql`true`
      : sql`subject = any(${imageIds.map((id) => id.toLowerCase())}::uuid[])`;
  const state =
    wanted === 'failed'
      ? sql`result = 'failed'`
      : sql`(result = 'failed' or (result = 'done' and image_state <> 'certified'))`;
  return {
    retried: await orderJobs(registry.db, IMAGE_SCANS, store.id, sql`live and ${state} and ${which}`),
  };
}

/** Images still to be scanned, over all stores and nodes. */
export interface ImageCounts {
  /** Images without a completed scan, including those being scanned and those postponed. */
  readonly waiting: number;
  /** Images that were given up until they are scanned again. */
  readonly failed: number;
  /** When the first of the waiting images was due; `null`: none is waiting. */
  readonly oldestWaiting: Date | null;
}

/**
 * Adds the counts of images to the metrics; also on nodes that scan none, so that the backlog is visible even if no node scans.
 *
 * @param running - the number of images that this node is scanning
 */
export function countImages(
  { db, clock, metrics }: { readonly db: Database; readonly clock: Clock; readonly metrics: Metrics },
  running: () => number,
): ScheduledTask {
  const left = countPeriodically({ name: 'count images', every: 60_000, count: () => countScans(db) });
  metrics.labelledGauge(
    {
      name: 'images',
      help: 'Images of all stores waiting to be scanned, and those given up; counted once a minute.',
      label: 'state',
    },
    () => {
      const counts = left.latest();
      return counts === null ? null : { waiting: counts.waiting, failed: counts.failed };
    },
  );
  metrics.gauge(
    {
      name: 'image_oldest_waiting_seconds',
      help: 'Longest current waiting time of an image; 0 if none is waiting.',
    },
    () => secondsSince(left.latest()?.oldestWaiting, clock()),
  );
  metrics.gauge({ name: 'images_under_way', help: 'Images that this node is scanning.' }, running);
  return left.task;
}

/** Triggers maintain the counts; only the longest wait is looked up for each store. */
export async function countScans(db: Database): Promise<ImageCounts> {
  const { rows } = await sql<ImageCounts>`
    with left_to_do as materialized (
      select store_id, sum(waiting) as waiting, sum(failed) as failed
      from image_counts c join stores s on s.id = c.store_id
      where s.deleted_at is null group by store_id
    )
    select coalesce(sum(waiting), 0)::int as waiting, coalesce(sum(failed), 0)::int as failed,
      -- a postponed image is due later, but has waited since its first failure
      least(min(due_at), min(since::timestamptz)) as "oldestWaiting"
    from left_to_do
    left join lateral (select min(due_at) as due_at from jobs where ${WAITING}) due on waiting > 0
    left join lateral (
      select min(failure->>'since') as since from jobs where ${WAITING} and failure is not null
    ) put_off on waiting > 0`.execute(db);
  return onlyRow(rows);
}

/** Scans of a store that are due or wait for their next attempt. */
const WAITING = sql`queue = 'image-scans' and owner = store_id and live and result is null`;

const COMPACT_EVERY = 5_000;

/** Compacts the counter rows of images, so that reading them takes few rows. */
export function compactImageCounts(db: Database): ScheduledTask {
  return {
    name: 'fold image counts',
    every: COMPACT_EVERY,
    run: () => sql`select fold_image_counts()`.execute(db),
  };
}
