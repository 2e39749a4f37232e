import type { Clock } from '../platform/clock.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../platform/database/database.ts';
import type { ImageTrouble } from '../platform/database/tables.ts';
import type { JobQueue } from '../platform/jobs/job-queue.ts';
import { endLook, noteTrouble, putOffLook } from './end-scan.ts';
import type { Finding, ImageFinding, NoImage } from './finding.ts';
import type { ImageTask } from './image-task.ts';

export interface RecordOptions {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly clock: Clock;
  /** Seconds between two looks at an image. */
  readonly recheck: number;
  /** SHA-256 of the trust list, hex. */
  readonly trustList: string;
}

/**
 * Records what was found, ends the look and completes its job: in one transaction, so that all of it happened, once,
 * or nothing did.
 *
 * @returns false when another node ended the look before: nothing was recorded
 */
export async function recordFinding(
  task: ImageTask,
  finding: Finding,
  options: RecordOptions,
): Promise<boolean> {
  const now = options.clock();
  return inTransaction(options.db, async (trx) => {
    // the image before its order: the triggers lock in this order too
    const image = await trx
      .selectFrom('images')
      .select(['version', 'source_uhash', 'upload_date'])
      .where('id', '=', task.imageId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const ended = await endLook(trx, task, endOf(task, finding, now), options.recheck);
    if (!ended) return false;
    if (finding.kind !== 'unchanged') {
      const isNewVersion = image.source_uhash !== null && image.source_uhash !== finding.sourceUhash;
      const version = image.version + (isNewVersion ? 1 : 0);
      const seenSince = isNewVersion ? null : image.upload_date;
      if (finding.kind === 'image')
        await writeImage(trx, task.imageId, {
          finding,
          version,
          seenSince,
          now,
          trustList: options.trustList,
        });
      else await writeNoImage(trx, task.imageId, { finding, version, now });
    }
    await options.queue.complete(trx, task.jobId);
    return true;
  });
}

/** An attempt that came to nothing, and what is to happen now. */
export interface FailedAttempt {
  readonly trouble: ImageTrouble;
  /** Made again as the next attempt; given up until the next recheck; or put off, so many seconds, as if never made. */
  readonly next: 'attempt' | 'give_up' | { readonly putOff: number };
}

/** Records why an attempt came to nothing: to be made again, or given up for now. */
export async function recordTrouble(
  task: ImageTask,
  { trouble, next }: FailedAttempt,
  { db, queue, recheck }: RecordOptions,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (next === 'give_up') {
      // what is certified stays so: these bytes are held, whatever became of their source
      if (await endLook(trx, task, { state: 'failed', trouble }, recheck))
        await queue.complete(trx, task.jobId);
    } else if (next === 'attempt') {
      if (await noteTrouble(trx, task, trouble)) await queue.fail(trx, task.jobId, trouble.code);
    } else if (await putOffLook(trx, task, trouble, next.putOff)) await queue.cancel(trx, [task.jobId]);
  });
}

function endOf(task: ImageTask, finding: Finding, now: Date): Parameters<typeof endLook>[2] {
  const validators = finding.kind === 'unchanged' ? task.validators : finding.validators;
  const shortOf =
    finding.kind === 'no_image'
      ? ({ code: 'image_format_unknown', detail: '' } as const)
      : finding.kind === 'image'
        ? finding.shortOf
        : undefined;
  if (shortOf !== undefined) {
    return { state: 'failed', trouble: { ...shortOf, at: now.toISOString(), attempts: 1 } };
  }
  return {
    state: 'settled',
    etag: validators.etag ?? null,
    lastModified: validators.lastModified ?? null,
  };
}

interface ImageRecord {
  readonly finding: ImageFinding;
  readonly version: number;
  /** Told of these bytes before, if they were seen before. */
  readonly seenSince: Date | null;
  readonly now: Date;
  readonly trustList: string;
}

async function writeImage(
  trx: DatabaseTransaction,
  id: string,
  { finding, version, seenSince, now, trustList }: ImageRecord,
): Promise<void> {
  const { header, certified, sourceUhash } = finding;
  await trx
    .updateTable('images')
    .set({
      media_type: header.mediaType,
      width: header.width,
      height: header.height,
      upload_date: uploadDate(finding, now, seenSince ?? now),
      version,
      source_uhash: sourceUhash,
      frame_code: finding.frameCode ?? null,
      credentials: JSON.stringify(finding.credentials),
      trust: JSON.stringify(finding.trust),
      trust_list: trustList,
      blob_key: certified?.blobKey ?? null,
      signed_by_us: certified?.signedUntil !== undefined,
      looked_at: now,
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
      signed_by_us: certified.signedUntil !== undefined,
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
  { finding, version, now }: { finding: NoImage; version: number; now: Date },
): Promise<void> {
  await trx
    .updateTable('images')
    .set({
      media_type: 'application/octet-stream',
      width: null,
      height: null,
      upload_date: null,
      version,
      source_uhash: finding.sourceUhash,
      frame_code: null,
      credentials: null,
      trust: null,
      blob_key: null,
      signed_by_us: false,
      looked_at: now,
    })
    .where('id', '=', id)
    .execute();
}

/** The host's own word for when the file was put there; else when we first saw these bytes. */
function uploadDate({ validators }: ImageFinding, now: Date, firstSeen: Date): Date {
  const told = new Date(validators.lastModified ?? Number.NaN);
  return Number.isNaN(told.getTime()) || told > now || told.getTime() < 0 ? firstSeen : told;
}
