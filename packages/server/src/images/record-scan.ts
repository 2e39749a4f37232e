import type { Clock } from '../platform/clock.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../platform/database/database.ts';
import type { Job, JobEnd, JobQueue } from '../platform/jobs/job-queue.ts';
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
      .select(['version', 'source_uhash', 'upload_date'])
      .where('id', '=', task.imageId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (!(await queue.finish(trx, task.job, endOf(task.job, result, now), recheck))) return false;
    if (result.kind === 'unchanged') return true;
    const isNewVersion = image.source_uhash !== null && image.source_uhash !== result.sourceUhash;
    const version = image.version + (isNewVersion ? 1 : 0);
    if (result.kind === 'no_image') {
      await writeNoImage(trx, task.imageId, result, version, now);
    } else {
      const firstSeen = (isNewVersion ? null : image.upload_date) ?? now;
      await writeImage(trx, task.imageId, { result, version, firstSeen, now, trustList });
    }
    return true;
  });
}

/** Records why an attempt came to nothing: to be made again, or given up for now. */
export async function recordFailure(
  job: Job,
  { failure, next }: FailedAttempt,
  { db, queue, recheck }: RecordOptions,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    // what is certified stays so: these bytes are held, whatever became of their source
    if (next === 'give_up') await queue.finish(trx, job, { result: 'failed', failure }, recheck);
    else if ('retry' in next) await queue.retry(trx, job, failure, next.retry);
    else await queue.postpone(trx, job, failure, next.postpone);
  });
}

function endOf(job: Job, result: ScanResult, now: Date): JobEnd {
  const incomplete =
    result.kind === 'no_image'
      ? { code: 'image_format_unknown', detail: '' }
      : result.kind === 'image'
        ? result.incomplete
        : undefined;
  if (incomplete === undefined) return { result: 'done' };
  return { result: 'failed', failure: { ...incomplete, at: now.toISOString(), attempts: job.attempt } };
}

interface ImageRecord {
  readonly result: ScannedImage;
  readonly version: number;
  /** When these bytes were seen first. */
  readonly firstSeen: Date;
  readonly now: Date;
  readonly trustList: string;
}

async function writeImage(
  trx: DatabaseTransaction,
  id: string,
  { result, version, firstSeen, now, trustList }: ImageRecord,
): Promise<void> {
  const { header, certified, sourceUhash, validators } = result;
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
      upload_date: uploadDate(result, now, firstSeen),
      version,
      source_uhash: sourceUhash,
      frame_code: result.frameCode ?? null,
      appearance: result.appearance ?? null,
      credentials: JSON.stringify(result.credentials),
      trust: JSON.stringify(result.trust),
      trust_list: trustList,
      ...carrier,
      etag: validators.etag ?? null,
      last_modified: validators.lastModified ?? null,
      scanned_at: now,
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
      etag: null,
      last_modified: null,
      scanned_at: now,
    })
    .where('id', '=', id)
    .execute();
}

/** The host's own word for when the file was put there; else when we first saw these bytes. */
function uploadDate({ validators }: ScannedImage, now: Date, firstSeen: Date): Date {
  const stated = new Date(validators.lastModified ?? Number.NaN);
  return Number.isNaN(stated.getTime()) || stated > now || stated.getTime() < 0 ? firstSeen : stated;
}
