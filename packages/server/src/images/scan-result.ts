import type { ImageCredentials, SignerTrust } from '@touchstone/certificate';
import type { ImageFailureCode } from '@touchstone/contract/codes';
import type { ImageHeader } from '@touchstone/image';
import type { Validators } from '@touchstone/page/fetch';

/** What the bytes of an image turned out to be. */
export type ScanResult = UnchangedBytes | ScannedImage | NoImage;

/** The bytes are those of the scan before. */
export interface UnchangedBytes {
  readonly kind: 'unchanged';
}

export interface ScannedImage extends Certification {
  readonly kind: 'image';
  readonly sourceUhash: string;
  readonly validators: Validators;
  readonly header: ImageHeader;
  /** Finds copies better than what is published; absent where the pixels cannot be decoded. */
  readonly frameCode?: string;
  readonly appearance?: string;
}

/** What came of certifying an image: what its credentials are now, and which bytes carry them. */
export interface Certification {
  readonly credentials: ImageCredentials;
  readonly trust: SignerTrust;
  /** Present when the image is certified. */
  readonly certified?: CertifiedBytes;
  /** Why its manifest does not validate: codes of the C2PA specification. */
  readonly manifestFailures?: readonly string[];
  /** What was found holds, but not all that was asked for could be done. */
  readonly incomplete?: { readonly code: ImageFailureCode; readonly detail: string };
}

export interface CertifiedBytes {
  readonly blobKey: string;
  /** When our own signature ends; absent where the manifest is the merchant's. */
  readonly signedUntil?: Date;
}

/** Bytes that are no image: nobody can certify them, and the asset certificate is refused. */
export interface NoImage {
  readonly kind: 'no_image';
  readonly sourceUhash: string;
  /** What they seem to be, as a sentence; may be empty. */
  readonly detail: string;
}

/** For the metrics: what it is, or the code of what could not be done with it. */
export function outcomeOf(result: ScanResult): string {
  return result.kind === 'image' ? (result.incomplete?.code ?? 'image') : result.kind;
}
