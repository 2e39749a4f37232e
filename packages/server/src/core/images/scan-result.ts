import type { Validators } from '@touchstone/fetch';
import type { ImageHeader } from '@touchstone/image';
import type { Certification } from './certification.ts';

/** The result of scanning an image. */
export type ScanResult = UnchangedBytes | ScannedImage | NoImage;

/** The bytes are the same as at the previous scan. */
export interface UnchangedBytes {
  readonly kind: 'unchanged';
}

export interface ScannedImage extends Certification {
  readonly kind: 'image';
  readonly sourceUhash: string;
  readonly validators: Validators;
  readonly header: ImageHeader;
  /** For the search of copies, more precise than the published phash; absent if the pixels cannot be decoded. */
  readonly frameCode?: string;
  readonly appearance?: string;
}

/** Bytes that are not an image: they cannot be certified, and there is no asset certificate. */
export interface NoImage {
  readonly kind: 'no_image';
  readonly sourceUhash: string;
  /** A sentence on their format; may be empty. */
  readonly detail: string;
}

/** The outcome in metrics: the kind of result, or the code of what could not be done. */
export function outcomeOf(result: ScanResult): string {
  return result.kind === 'image' ? (result.incomplete?.code ?? 'image') : result.kind;
}
