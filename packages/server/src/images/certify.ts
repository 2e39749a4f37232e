import { buffer } from 'node:stream/consumers';
import type { ImageCredentials, SignerTrust } from '@touchstone/certificate';
import { uhash } from '@touchstone/image';
import type { ImageInspection, ImageWorkers } from '@touchstone/image/node';
import type { Clock } from '../clock.ts';
import type { Database } from '../storage/database.ts';
import { type BlobStore, blobKey } from './blobs/blob-store.ts';
import { type ImageSigner, isLasting } from './image-signer.ts';
import type { ImageTask } from './image-task.ts';
import { manifestFor } from './manifest-for.ts';
import type { ImageTroubleCode } from './troubles.ts';

/** What came of certifying an image: what its credentials are now, and which bytes carry them. */
export interface Certification {
  readonly credentials: ImageCredentials;
  readonly trust: SignerTrust;
  readonly certified?: CertifiedBytes;
  readonly shortOf?: { readonly code: ImageTroubleCode; readonly detail: string };
}

export interface CertifiedBytes {
  readonly uhash: string;
  /** When our own signature ends; absent where the manifest is the merchant's. */
  readonly signedUntil?: Date;
}

/** @param inspection - of these bytes */
export type Certify = (
  task: ImageTask,
  bytes: Uint8Array,
  inspection: ImageInspection,
) => Promise<Certification>;

export interface CertifyOptions {
  readonly db: Database;
  readonly workers: Pick<ImageWorkers, 'inspect' | 'sign'>;
  readonly blobs: BlobStore;
  readonly signer: ImageSigner;
  readonly clock: Clock;
  /** Told of every signature that could not be made. */
  readonly onSigningFault: (error: unknown, imageId: string) => void;
}

/**
 * An image whose own manifest validates is certified as it is. One without any is signed by us, where its store asks for
 * it. One whose manifest does not validate is certified by nobody: to sign it would cover up what was done to it.
 */
export function createCertify(options: CertifyOptions): Certify {
  return async (task, bytes, inspection) => {
    const { manifest, header } = inspection;
    const trust = trustOf(inspection);
    if (manifest.valid) {
      await options.blobs.put(blobKey(inspection.uhash, header.mediaType), bytes);
      const certified = { uhash: inspection.uhash };
      return { credentials: credentialsOf(inspection, certified.uhash), trust, certified };
    }
    if (manifest.hasManifest || !task.sign) {
      return { credentials: credentialsOf(inspection, inspection.uhash), trust };
    }
    return signed(task, bytes, inspection, options);
  };
}

async function signed(
  task: ImageTask,
  bytes: Uint8Array,
  inspection: ImageInspection,
  options: CertifyOptions,
): Promise<Certification> {
  const { workers, blobs, signer, clock, onSigningFault } = options;
  const certificationOf = (signedUhash: string, signedUntil: Date, trust: SignerTrust): Certification => ({
    credentials: { ...credentialsOf(inspection, signedUhash), hasC2PA: true, hasManifest: true },
    trust,
    certified: { uhash: signedUhash, signedUntil },
  });
  const earlier = await earlierSignature(task, inspection.uhash, options);
  if (earlier !== null) return certificationOf(earlier.uhash, earlier.signedUntil, earlier.trust);
  let output: Uint8Array;
  try {
    output = await workers.sign(bytes, manifestFor(task, clock()), signer.credentials);
  } catch (error) {
    onSigningFault(error, task.imageId);
    const shortOf = { code: 'image_signing_failed', detail: inspection.header.mediaType } as const;
    return { credentials: credentialsOf(inspection, inspection.uhash), trust: trustOf(inspection), shortOf };
  }
  const signedUhash = await uhash(output);
  await blobs.put(blobKey(signedUhash, inspection.header.mediaType), output);
  const trust = await signer.trust(async () => trustOf(await workers.inspect(output)));
  return certificationOf(signedUhash, signer.validUntil, trust);
}

/**
 * The same bytes were signed before, and the source has gone back to them: nothing is signed twice while that signature
 * stands. It is looked at anew, for it may be by another chain than the one that signs now.
 */
async function earlierSignature(
  { imageId, sign }: ImageTask,
  sourceUhash: string,
  { db, blobs, workers, signer, clock }: CertifyOptions,
) {
  const row = await db
    .selectFrom('image_certifications')
    .select(['blob_key as key', 'signed_until as until'])
    .where('image_id', '=', imageId)
    .where('source_uhash', '=', sourceUhash)
    .where('signed_by_us', '=', true)
    .executeTakeFirst();
  if (row === undefined || row.until === null) return null;
  const terms = { until: row.until, sign, renewedUntil: signer.validUntil, now: clock() };
  if (!isLasting(terms) || (await blobs.size(row.key)) === null) return null;
  const seen = await workers.inspect(await buffer(blobs.read(row.key)));
  if (!seen.manifest.valid) return null;
  return { uhash: seen.uhash, signedUntil: row.until, trust: trustOf(seen) };
}

/** @param of - uhash of the bytes that carry the credentials; the pixels are the same, and so is the phash */
function credentialsOf({ manifest, phash }: ImageInspection, of: string): ImageCredentials {
  return {
    hasC2PA: manifest.valid,
    hasManifest: manifest.hasManifest,
    ...(phash === undefined ? {} : { hashes: { uhash: of, phash } }),
  };
}

/** Of a manifest that does not validate, no signer is worth naming. */
function trustOf({ manifest }: ImageInspection): SignerTrust {
  const { signer, trust, valid } = manifest;
  if (!valid) return { ...trust, status: 'none' };
  const name = signer?.commonName ?? signer?.issuer;
  return { ...trust, ...(name === undefined ? {} : { signer: name.slice(0, 200) }) };
}
