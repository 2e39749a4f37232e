import { IMAGE_FAILURES, type ImageFailure, type ImageFailureCode } from '@touchstone/contract/codes';
import type { FetchFailureCode } from '@touchstone/page/fetch';

/** The code of a failed fetch. Exhaustive: a code of the fetcher's that has no entry does not compile. */
export function fetchFailure(code: Exclude<FetchFailureCode, 'not_html'>): ImageFailureCode {
  return `image_${code}`;
}

/** Ends a scan of an image with nothing to show; never leaves the pipeline. */
export class ScanFailure extends Error {
  readonly code: ImageFailureCode;
  readonly detail: string;
  /** The next attempt may well go better. */
  readonly isPassing: boolean;
  /** Seconds for which the host asks not to be asked again. */
  readonly retryAfter: number;

  constructor(
    code: ImageFailureCode,
    detail = '',
    {
      cause,
      isPassing,
      retryAfter = 0,
    }: { readonly cause?: unknown; readonly isPassing?: boolean; readonly retryAfter?: number } = {},
  ) {
    super(detail === '' ? code : `${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.name = 'ScanFailure';
    this.code = code;
    this.detail = detail;
    this.retryAfter = retryAfter;
    this.isPassing = isPassing ?? IMAGE_FAILURES[code].isPassing;
  }
}

/** The entry of a code that was recorded earlier, perhaps by another version. */
export function failureOf(code: string): ImageFailure {
  return Object.hasOwn(IMAGE_FAILURES, code)
    ? IMAGE_FAILURES[code as ImageFailureCode]
    : IMAGE_FAILURES.image_fault;
}
