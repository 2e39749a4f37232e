import { IMAGE_FAILURES, type ImageFailure, type ImageFailureCode } from '@touchstone/contract/codes';
import type { FetchFailureCode } from '@touchstone/page/fetch';

/** The code of a failed fetch. Exhaustive: a code of the fetcher's that has no row does not compile. */
export function fetchTrouble(code: Exclude<FetchFailureCode, 'not_html'>): ImageFailureCode {
  return `image_${code}`;
}

/** Ends a look at an image with nothing to show; never leaves the pipeline. */
export class ImageTroubleError extends Error {
  readonly code: ImageFailureCode;
  readonly detail: string;

  constructor(code: ImageFailureCode, detail = '', cause?: unknown) {
    super(detail === '' ? code : `${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.name = 'ImageTroubleError';
    this.code = code;
    this.detail = detail;
  }
}

/** A code that was recorded earlier, perhaps by another version. */
export function troubleOf(code: string): ImageFailure {
  return isTroubleCode(code) ? IMAGE_FAILURES[code] : IMAGE_FAILURES.image_fault;
}

/** Answers 404 and 410 are final: the image is not there. */
export function isPassing(code: ImageFailureCode, status: number | undefined): boolean {
  return IMAGE_FAILURES[code].isPassing && status !== 404 && status !== 410;
}

function isTroubleCode(code: string): code is ImageFailureCode {
  return Object.hasOwn(IMAGE_FAILURES, code);
}
