import type { ImageFailureCode } from '@touchstone/contract/codes';
import { uhash } from '@touchstone/image';
import { ImageFault, type ImageInspection, type ImageWorkers } from '@touchstone/image/node';
import type { Job } from '../../platform/jobs/job.ts';
import type { Certify } from './certify.ts';
import { failedAttempt, type RetryPolicy } from './failed-attempt.ts';
import { type FetchImageOptions, fetchImage } from './fetch-image.ts';
import { nameOfFormat } from './other-formats.ts';
import { type RecordOptions, recordFailure, recordResult } from './record-scan.ts';
import { ScanFailure } from './scan-error.ts';
import { outcomeOf, type ScanResult } from './scan-result.ts';
import { isComplete, loadTask, type ScanTask } from './scan-task.ts';

export interface ScanOptions extends FetchImageOptions, RecordOptions {
  readonly workers: Pick<ImageWorkers, 'inspect'>;
  readonly certify: Certify;
  /** When a signature made now would expire. */
  readonly renewedUntil: Date;
  readonly retries: RetryPolicy;
  /** The result was recorded: documents of this product that this node has cached are out of date. */
  readonly onFound: (productId: string) => void;
  /** A scan ended: with a result (`image`, `no_image`, `unchanged`) or with the code of a failure. */
  readonly onScan: (outcome: string) => void;
  /** For the log; the worker continues. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Runs one job: fetches, inspects, certifies and records an image. Recording also finishes the job, in one transaction.
 *
 * @throws any error of recording; the reason of `signal`
 */
export async function runScan(job: Job, options: ScanOptions, signal: AbortSignal): Promise<void> {
  const task = await loadTask(options.db, job);
  if (task === null) return void (await options.queue.drop(job));
  try {
    const result = await scanImage(task, options, signal);
    const isRecorded = await recordResult(task, result, options);
    options.onScan(outcomeOf(result));
    if (isRecorded && result.kind !== 'unchanged') options.onFound(task.product.id);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ScanFailure))
      options.onFault(new Error(`An image could not be scanned: ${task.imageId}`, { cause: error }));
    const failed = failedAttempt(error, task, options.clock(), options.retries);
    if (await recordFailure(job, failed, options)) options.onFound(task.product.id);
    options.onScan(failed.failure.code);
  }
}

/**
 * Fetches and inspects an image, and certifies it if possible. Stores nothing but the certified bytes, under their own hash.
 *
 * @throws ScanFailure; FetchFault and ServiceError for faults on our own side; the reason of `signal`
 */
async function scanImage(task: ScanTask, options: ScanOptions, signal: AbortSignal): Promise<ScanResult> {
  const isDone = isComplete(task, { ...options, now: options.clock() });
  const fetched = await fetchImage(task.url, isDone ? task.validators : {}, options, signal);
  if (fetched.kind === 'same') return { kind: 'unchanged' };
  const { body, validators } = fetched;
  const sourceUhash = await uhash(body);
  if (isDone && task.before?.sourceUhash === sourceUhash) return { kind: 'unchanged' };
  const inspection = await inspect(body, options.workers);
  if (inspection === null) return { kind: 'no_image', sourceUhash, detail: nameOfFormat(body) };
  return {
    kind: 'image',
    sourceUhash,
    validators,
    header: inspection.header,
    ...(inspection.frameCode === undefined ? {} : { frameCode: inspection.frameCode }),
    ...(inspection.appearance === undefined ? {} : { appearance: inspection.appearance }),
    ...(await options.certify(task, body, inspection)),
  };
}

const FAILURES: Readonly<Record<ImageFault['code'], ImageFailureCode>> = {
  not_an_image: 'image_format_unknown',
  cut_off: 'image_cut_off',
  too_large: 'image_too_large',
  too_many_pixels: 'image_too_many_pixels',
  undecodable: 'image_damaged',
  timed_out: 'image_inspection_timed_out',
  worker_died: 'image_inspection_died',
  overloaded: 'image_fault',
  closed: 'image_fault',
};

/** @returns `null`: the bytes are not an image */
async function inspect(
  body: Uint8Array,
  workers: Pick<ImageWorkers, 'inspect'>,
): Promise<ImageInspection | null> {
  try {
    return await workers.inspect(body);
  } catch (error) {
    if (!(error instanceof ImageFault)) throw error;
    if (error.code === 'not_an_image') return null;
    throw new ScanFailure(FAILURES[error.code], '', { cause: error });
  }
}
