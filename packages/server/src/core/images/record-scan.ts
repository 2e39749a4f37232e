import type { Clock } from '../../platform/clock.ts';
import type { JobFailure } from '../../platform/database/column-types.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import type { NewEvent } from '../../platform/events/new-event.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { JobEnd, JobQueue } from '../../platform/jobs/job-queue.ts';
import type { Emit } from '../registry/events.ts';
import { findMerchant } from '../registry/find-store.ts';
import { IMAGE_SCANS } from '../registry/products/product-images.ts';
import type { FailedAttempt } from './failed-attempt.ts';
import { updateImage, writeImage, writeNoImage } from './image-table.ts';
import type { ScanResult } from './scan-result.ts';
import type { ScanTask } from './scan-task.ts';

export interface RecordOptions {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Seconds between two scans of an image; 0: it is scanned once. */
  readonly recheck: number;
  /** SHA-256 of the trust list, hex. */
  readonly trustList: string;
}

/**
 * Records the result of a scan and finishes the job, in one transaction.
 *
 * @returns false if this node no longer held the job: nothing was recorded
 */
export async function recordResult(
  task: ScanTask,
  result: ScanResult,
  { db, queue, clock, recheck, trustList, emit }: RecordOptions,
): Promise<boolean> {
  const now = clock();
  return inTransaction(db, async (trx) => {
    // the image is locked before its job, as where images go and come back
    const image = await trx
      .selectFrom('images')
      .select(['version', 'source_uhash', 'product_id', 'url'])
      .where('merchant_id', '=', task.merchantId)
      .where('id', '=', task.imageId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const end = endOf(task.job, result, now);
    const failed = await newFailure(trx, task.job, end);
    if (!(await queue.finish(trx, task.job, end, recheck))) return false;
    if (failed !== null)
      await emit(trx, 'recorded', [
        failureEvent(task.job, failed, { ...image, merchant_id: task.merchantId }),
      ]);
    if (result.kind === 'unchanged') return true;
    const isNewVersion = image.source_uhash !== null && image.source_uhash !== result.sourceUhash;
    const version = image.version + (isNewVersion ? 1 : 0);
    const id = { ...task, storeId: task.store.id };
    if (result.kind === 'no_image') {
      await writeNoImage(trx, emit, id, result, version, now);
    } else {
      await writeImage(trx, emit, id, { result, version, now, trustList });
    }
    return true;
  });
}

/**
 * Records why an attempt failed: it is repeated, or given up for now. A certified image stays certified: its bytes are stored,
 * whatever happened to their source. An image that was never opened has no certificate from then on.
 *
 * @returns whether that changed the certificate of the image
 */
export async function recordFailure(
  job: Job,
  { failure, next }: FailedAttempt,
  { db, queue, recheck, emit }: RecordOptions,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    if (next === 'give_up') return giveUp(trx, job, failure, { queue, recheck, emit });
    if ('retry' in next) await queue.retry(trx, job, failure, next.retry);
    else await queue.postpone(trx, job, failure, next.postpone);
    return false;
  });
}

async function giveUp(
  trx: DatabaseTransaction,
  job: Job,
  failure: JobFailure,
  { queue, recheck, emit }: Pick<RecordOptions, 'queue' | 'recheck' | 'emit'>,
): Promise<boolean> {
  const merchantId = await findMerchant(trx, job.owner);
  // locked before its job, as above
  const image =
    merchantId === undefined
      ? undefined
      : await trx
          .selectFrom('images')
          .select(['merchant_id', 'source_uhash', 'given_up', 'product_id', 'url'])
          .where('merchant_id', '=', merchantId)
          .where('id', '=', job.subject)
          .forUpdate()
          .executeTakeFirst();
  const end = { result: 'failed', failure } as const;
  const failed = await newFailure(trx, job, end);
  if (!(await queue.finish(trx, job, end, recheck))) return false;
  if (failed !== null && image !== undefined) await emit(trx, 'recorded', [failureEvent(job, failed, image)]);
  if (image === undefined || image.source_uhash !== null || image.given_up) return false;
  const id = { merchantId: image.merchant_id, storeId: job.owner, imageId: job.subject };
  await updateImage(trx, emit, id, { given_up: true });
  return true;
}

/** The failure with which a scan ends; `null`: there is none, or the previous scan ended with the same. */
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

function failureEvent(
  job: Job,
  { code, at }: JobFailure,
  image: { readonly merchant_id: string; readonly product_id: string; readonly url: string },
): NewEvent {
  const { merchant_id: merchantId, product_id: productId, url } = image;
  const items = [{ imageId: job.subject, productId, url, code }];
  return { type: 'image.failed', merchantId, storeId: job.owner, items, at: new Date(at) };
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
