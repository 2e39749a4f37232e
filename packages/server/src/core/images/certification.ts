import type { CredentialsFinding, ImageCredentials, SignerTrust } from '@touchstone/certificate';
import type { ImageFailureCode } from '@touchstone/contract/codes';
import type { ImageInspection } from '@touchstone/image/node';
import { blobKey } from './blobs/blob-store.ts';

/** The result of certifying an image: its credentials, and the bytes that carry them. */
export interface Certification {
  readonly credentials: ImageCredentials;
  readonly trust: SignerTrust;
  /** Present when the image is certified. */
  readonly certified?: CertifiedBytes;
  /** Why its manifest does not validate: codes of the C2PA specification. */
  readonly manifestFailures?: readonly string[];
  /** The result is valid, but something that the store requested could not be done. */
  readonly incomplete?: { readonly code: ImageFailureCode; readonly detail: string };
}

export interface CertifiedBytes {
  readonly blobKey: string;
  /** When our own signature expires; absent if the manifest is the merchant's. */
  readonly signedUntil?: Date;
}

/** For an image that is not certified. */
export function uncertified(inspection: ImageInspection, finding?: CredentialsFinding): Certification {
  const credentials = credentialsOf(inspection, inspection.uhash);
  return {
    credentials: finding === undefined ? credentials : { ...credentials, hasC2PA: false, finding },
    trust: trustOf(inspection),
    manifestFailures: inspection.manifest.failures.map(({ code }) => code),
  };
}

/** For an image whose pixels cannot be decoded. */
export function undecodable({ manifest, header }: ImageInspection): Certification {
  return {
    credentials: { hasC2PA: false, hasManifest: manifest.hasManifest },
    trust: { ...manifest.trust, status: 'none' },
    incomplete: { code: 'image_damaged', detail: header.mediaType },
  };
}

/**
 * For an image that we signed.
 *
 * @param inspection - of the bytes before they were signed
 * @param signedUhash - of the bytes after it
 */
export function signedCertification(
  inspection: ImageInspection,
  trust: SignerTrust,
  signedUhash: string,
  signedUntil: Date,
): Certification {
  const credentials = { ...credentialsOf(inspection, signedUhash), hasC2PA: true, hasManifest: true };
  const key = blobKey(signedUhash, inspection.header.mediaType);
  return { credentials, trust, certified: { blobKey: key, signedUntil } };
}

/** @param of - uhash of the bytes that carry the credentials; signing changes neither pixels nor phash */
export function credentialsOf({ manifest, phash }: ImageInspection, of: string): ImageCredentials {
  return {
    hasC2PA: manifest.valid,
    hasManifest: manifest.hasManifest,
    ...(phash === undefined ? {} : { hashes: { uhash: of, phash } }),
  };
}

/** The signer of a manifest that does not validate is not named. */
export function trustOf({ manifest }: ImageInspection): SignerTrust {
  const { signer, trust, valid } = manifest;
  if (!valid) return { ...trust, status: 'none' };
  const name = signer?.commonName ?? signer?.issuer;
  return { ...trust, ...(name === undefined ? {} : { signer: name.slice(0, 200) }) };
}
