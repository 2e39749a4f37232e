import type { ImageFailureCode } from '@touchstone/contract/codes';
import { uhash } from '@touchstone/image';
import { ImageFault, type ImageInspection, type ImageWorkers } from '@touchstone/image/node';
import type { Clock } from '../platform/clock.ts';
import { blobKey } from './blobs/blob-store.ts';
import type { Certify } from './certify.ts';
import { ImageTroubleError } from './failures.ts';
import { type FetchImageOptions, fetchImage } from './fetch-image.ts';
import type { Finding } from './finding.ts';
import { type ImageTask, isFinished } from './image-task.ts';

export interface LookOptions extends FetchImageOptions {
  readonly workers: Pick<ImageWorkers, 'inspect'>;
  readonly certify: Certify;
  /** When a signature made here now would end. */
  readonly renewedUntil: Date;
  /** SHA-256 of the trust list, hex. */
  readonly trustList: string;
  readonly clock: Clock;
}

/**
 * Fetches an image, finds out what its bytes are, and certifies them where that can be done. Records nothing but the
 * certified bytes, under their own hash.
 *
 * @throws ImageTroubleError; FetchFault and ServiceError for trouble on our own side; the reason of `signal`
 */
export async function lookAtImage(
  task: ImageTask,
  options: LookOptions,
  signal: AbortSignal,
): Promise<Finding> {
  const isDone = isFinished(task, { ...options, now: options.clock() });
  const known = isDone ? task.validators : {};
  const fetched = await fetchImage(task.url, known, options, signal);
  if (fetched.kind === 'same') return { kind: 'unchanged' };
  const { body, validators } = fetched;
  const sourceUhash = await uhash(body);
  if (isDone && task.before?.sourceUhash === sourceUhash) return { kind: 'unchanged' };
  const inspection = await inspected(body, options.workers);
  if (inspection === null) return { kind: 'no_image', sourceUhash, validators };
  const { certified, shortOf, ...found } = await options.certify(task, body, inspection);
  return {
    kind: 'image',
    sourceUhash,
    validators,
    header: inspection.header,
    ...(inspection.frameCode === undefined ? {} : { frameCode: inspection.frameCode }),
    ...found,
    ...(certified === undefined
      ? {}
      : {
          certified: {
            blobKey: blobKey(certified.uhash, inspection.header.mediaType),
            ...(certified.signedUntil === undefined ? {} : { signedUntil: certified.signedUntil }),
          },
        }),
    ...(shortOf === undefined ? {} : { shortOf }),
  };
}

const FAULTS: Readonly<Record<ImageFault['code'], ImageFailureCode>> = {
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

/** `null`: the bytes are no image. */
async function inspected(
  body: Uint8Array,
  workers: Pick<ImageWorkers, 'inspect'>,
): Promise<ImageInspection | null> {
  try {
    return await workers.inspect(body);
  } catch (error) {
    if (!(error instanceof ImageFault)) throw error;
    if (error.code === 'not_an_image') return null;
    throw new ImageTroubleError(FAULTS[error.code], '', error);
  }
}
