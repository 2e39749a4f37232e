import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../platform/database/database.ts';
import type { JobFailure } from '../platform/database/tables.ts';
import { recordEvent } from '../platform/events/record-event.ts';
import type { Job } from '../platform/jobs/job.ts';
import type { JobEnd, JobQueue } from '../platform/jobs/job-queue.ts';
import { IMAGE_SCANS } from '../registry/products/product-images.ts';
import type { FailedAttempt } from './failed-attempt.ts';
import type { NoImage, ScannedImage, ScanResult } from './scan-result.ts';
import type { ScanTask } from './scan-task.ts';

export interface RecordOptions {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly clock: Clock;
  /** Seconds between two scans of an image; 0: it is scanned once. */
  readonly recheck: number;
  /** SHA-256 of the trust list, hex. */
  readonly trustList: string;
}

/**
 * Records what was found and finishes the job: in one transaction, so that all of it happened, once, or nothing did.
 *
 * @returns false when the job was another node's by then: nothing was recorded
 */
export async function recordResult(
  task: ScanTask,
  result: ScanResult,
  { db, queue, clock, recheck, trustList }: RecordOptions,
): Promise<boolean> {
  const now = clock();
  return inTransaction(db, async (trx) => {
    // the image before its job: the triggers lock in this order too
    const image = await trx
      .selectFrom('images')
      .select(['version', 'source_uhash', 'product_id', 'url'])
      .where('id', '=', task.imageId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const end = endOf(task.job, result, now);
    const failed = await newFailure(trx, task.job, end);
    if (!(await queue.finish(trx, task.job, end, recheck))) return false;
    if (failed !== null) await recordFailureEvent(trx, task.job, failed, image);
    if (result.kind === 'unchanged') return true;
    const isNewVersion = image.source_uhash !== null && image.source_uhash !== result.sourceUhash;
    const version = image.version + (isNewVersion ? 1 : 0);
    if (result.kind === 'no_image') {
      await writeNoImage(trx, task.imageId, result, version, now);
    } else {
      await writeImage(trx, task.imageId, { result, version, now, trustList });
    }
    return true;
  });
}

/**
 * Records why an attempt came to nothing: to be made again, or given up for now. What is certified stays so: these bytes
 * are held, whatever became of their source. An image that was never opened has no certificate from then on.
 *
 * @returns whether that changed what is served of the image
 */
export async function recordFailure(
  job: Job,
  { failure, next }: FailedAttempt,
  { db, queue, recheck }: RecordOptions,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    if (next === 'give_up') return giveUp(trx, job, failure, { queue, recheck });
    if ('retry' in next) await queue.retry(trx, job, failure, next.retry);
    else await queue.postpone(trx, job, failure, next.postpone);
    return false;
  });
}

async function giveUp(
  trx: DatabaseTransaction,
  job: Job,
  failure: JobFailure,
  { queue, recheck }: Pick<RecordOptions, 'queue' | 'recheck'>,
): Promise<boolean> {
  // the image before its job, as above
  const image = await trx
    .selectFrom('images')
    .select(['source_uhash', 'given_up', 'product_id', 'url'])
    .where('id', '=', job.subject)
    .forUpdate()
    .executeTakeFirst();
  const end = { result: 'failed', failure } as const;
  const failed = await newFailure(trx, job, end);
  if (!(await queue.finish(trx, job, end, recheck))) return false;
  if (failed !== null && image !== undefined) await recordFailureEvent(trx, job, failed, image);
  if (image === undefined || image.source_uhash !== null || image.given_up) return false;
  await trx.updateTable('images').set({ given_up: true }).where('id', '=', job.subject).execute();
  return true;
}

/** The failure that a scan ends with; `null`: there is none, or the scan before ended with the same. */
async function newFailure(trx: DatabaseTransaction, job: Job, end: JobEnd): Promise<JobFailure | null> {
  if (end.result === 'done') return null;
  const before = await trx
    .selectFrom('jobs')
    .select(['result', 'failure'])
    .where('queue', '=', IMAGE_SCANS)
    .where('subject', '=', job.subject)
    .executeTakeFirst();
  const isKnown = before?.result === 'failed' && before.failure?.code === end.failure.code;
  return isKnown ? null : end.failure;
}

async function recordFailureEvent(
  trx: DatabaseTransaction,
  job: Job,
  { code, at }: JobFailure,
  image: { readonly product_id: string; readonly url: string },
): Promise<void> {
  const { product_id: productId, url } = image;
  const items = [{ imageId: job.subject, productId, url, code }];
  await recordEvent(trx, { type: 'image.failed', storeId: job.owner, items, at: new Date(at) });
}

function endOf(job: Job, result: ScanResult, now: Date): JobEnd {
  const incomplete =
    result.kind === 'no_image'
      ? { code: 'image_format_unknown', detail: result.detail }
      : result.kind === 'image'
        ? result.incomplete
        : undefined;
  if (incomplete === undefined) return { result: 'done' };
  return { result: 'failed', failure: { ...incomplete, at: now.toISOString(), attempts: job.attempt } };
}

interface ImageRecord {
  readonly result: ScannedImage;
  readonly version: number;
  readonly now: Date;
  readonly trustList: string;
}

async function writeImage(
  trx: DatabaseTransaction,
  id: string,
  { result, version, now, trustList }: ImageRecord,
): Promise<void> {
  const { header, certified, sourceUhash, validators } = result;
  const failures = result.manifestFailures ?? [];
  const [credentials, trust] = [JSON.stringify(result.credentials), JSON.stringify(result.trust)];
  const carrier = {
    blob_key: certified?.blobKey ?? null,
    signed_by_us: certified?.signedUntil !== undefined,
  };
  await trx
    .updateTable('images')
    .set({
      media_type: header.mediaType,
      width: header.width,
      height: header.height,
      upload_date: uploadDate(result, now),
      version,
      source_uhash: sourceUhash,
      frame_code: result.frameCode ?? null,
      appearance: result.appearance ?? null,
      credentials,
      trust,
      trust_list: trustList,
      given_up: false,
      manifest_failures: failures.length === 0 ? null : JSON.stringify(failures),
      ...carrier,
      etag: validators.etag ?? null,
      last_modified: validators.lastModified ?? null,
      // found again as it was known, nothing has changed
      scanned_at: sql<Date>`case when source_uhash = ${sourceUhash} and credentials = ${credentials}::jsonb
        and trust = ${trust}::jsonb and blob_key is not distinct from ${carrier.blob_key} then scanned_at else ${now}::timestamptz end`,
    })
    .where('id', '=', id)
    .execute();
  if (certified === undefined) return;
  await trx
    .insertInto('image_certifications')
    .values({
      image_id: id,
      source_uhash: sourceUhash,
      blob_key: certified.blobKey,
      signed_by_us: carrier.signed_by_us,
      certified_at: now,
      signed_until: certified.signedUntil ?? null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['image_id', 'source_uhash'])
        .doUpdateSet((row) => ({
          blob_key: row.ref('excluded.blob_key'),
          certified_at: row.ref('excluded.certified_at'),
          signed_until: row.ref('excluded.signed_until'),
        }))
        // another signature in the place of one that ends
        .whereRef('image_certifications.blob_key', '<>', 'excluded.blob_key'),
    )
    .execute();
}

async function writeNoImage(
  trx: DatabaseTransaction,
  id: string,
  { sourceUhash }: NoImage,
  version: number,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('images')
    .set({
      media_type: 'application/octet-stream',
      width: null,
      height: null,
      upload_date: null,
      version,
      source_uhash: sourceUhash,
      frame_code: null,
      appearance: null,
      credentials: null,
      trust: null,
      blob_key: null,
      signed_by_us: false,
      given_up: false,
      manifest_failures: null,
      etag: null,
      last_modified: null,
      scanned_at: now,
    })
    .where('id', '=', id)
    .execute();
}

/** The host's own word for when the file was put there; when we first saw it is another moment. */
function uploadDate({ validators }: ScannedImage, now: Date): Date | null {
  const stated = new Date(validators.lastModified ?? Number.NaN);
  return Number.isNaN(stated.getTime()) || stated > now || stated.getTime() < 0 ? null : stated;
}
