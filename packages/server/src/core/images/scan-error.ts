import { IMAGE_FAILURES, type ImageFailure, type ImageFailureCode } from '@touchstone/contract/codes';
import type { FetchFailureCode } from '@touchstone/fetch';

/** The code of a failed fetch. Exhaustive: a code of the fetcher without an entry here does not compile. */
export function fetchFailure(code: Exclude<FetchFailureCode, 'not_html'>): ImageFailureCode {
  return `image_${code}`;
}

/** Ends the scan of an image without a result; caught in `runScan`. */
export class ScanFailure extends Error {
  readonly code: ImageFailureCode;
  readonly detail: string;
  /** A later attempt may succeed. */
  readonly isTransient: boolean;
  /** Seconds that the host asks to wait (`Retry-After`). */
  readonly retryAfter: number;

  constructor(
    code: ImageFailureCode,
    detail = '',
    {
      cause,
      isTransient,
      retryAfter = 0,
    }: { readonly cause?: unknown; readonly isTransient?: boolean; readonly retryAfter?: number } = {},
  ) {
    super(detail === '' ? code : `${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.name = 'ScanFailure';
    this.code = code;
    this.detail = detail;
    this.retryAfter = retryAfter;
    this.isTransient = isTransient ?? IMAGE_FAILURES[code].isTransient;
  }
}

/** The entry of a recorded code, which another version may have written. */
export function failureOf(code: string): ImageFailure {
  return Object.hasOwn(IMAGE_FAILURES, code)
    ? IMAGE_FAILURES[code as ImageFailureCode]
    : IMAGE_FAILURES.image_fault;
}
