import type { ImageCredentials, SignerTrust } from '@touchstone/certificate';
import type { ImageFailureCode } from '@touchstone/contract/codes';
import type { ImageHeader } from '@touchstone/image';
import type { Validators } from '@touchstone/page/fetch';

/** What the bytes of an image turned out to be. */
export type Finding = UnchangedBytes | ImageFinding | NoImage;

/** The bytes are those that were looked at before. */
export interface UnchangedBytes {
  readonly kind: 'unchanged';
}

export interface ImageFinding {
  readonly kind: 'image';
  readonly sourceUhash: string;
  readonly validators: Validators;
  readonly header: ImageHeader;
  readonly credentials: ImageCredentials;
  /** Finds copies better than what is published; absent where the pixels cannot be decoded. */
  readonly frameCode?: string;
  readonly trust: SignerTrust;
  /** Present when the image is certified: the bytes that are, and when our own signature ends, if it is by us. */
  readonly certified?: { readonly blobKey: string; readonly signedUntil?: Date };
  /** What was found holds, but not all that was asked for could be done. */
  readonly shortOf?: { readonly code: ImageFailureCode; readonly detail: string };
}

/** Bytes that are no image, or none that is certified: its asset certificate is refused (decision 20). */
export interface NoImage {
  readonly kind: 'no_image';
  readonly sourceUhash: string;
  readonly validators: Validators;
}

/** For the metrics: what it is, or the code of what could not be done with it. */
export function outcomeOf(finding: Finding): string {
  return finding.kind === 'image' ? (finding.shortOf?.code ?? 'image') : finding.kind;
}
