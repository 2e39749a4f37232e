import { buffer } from 'node:stream/consumers';
import type { ImageCredentials, SignerTrust } from '@touchstone/certificate';
import type { ImageFailureCode } from '@touchstone/contract/codes';
import { uhash } from '@touchstone/image';
import { ImageFault, type ImageInspection, type ImageWorkers } from '@touchstone/image/node';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { type BlobStore, blobKey } from './blobs/blob-store.ts';
import { type ImageSigner, isLasting } from './image-signer.ts';
import type { ImageTask } from './image-task.ts';
import { manifestFor } from './manifest-for.ts';

/** What came of certifying an image: what its credentials are now, and which bytes carry them. */
export interface Certification {
  readonly credentials: ImageCredentials;
  readonly trust: SignerTrust;
  readonly certified?: CertifiedBytes;
  readonly shortOf?: { readonly code: ImageFailureCode; readonly detail: string };
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
  readonly blobs: Pick<BlobStore, 'put' | 'size' | 'read'>;
  readonly signer: ImageSigner;
  readonly clock: Clock;
  /** Told of every signature that could not be made, but for those of files that are not sound enough for one. */
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
    if (!manifest.hasManifest) {
      const earlier = await earlierSignature(task, inspection, options);
      if (earlier !== null) return earlier;
      if (task.sign) return signed(task, bytes, inspection, options);
    }
    return { credentials: credentialsOf(inspection, inspection.uhash), trust };
  };
}

async function signed(
  task: ImageTask,
  bytes: Uint8Array,
  inspection: ImageInspection,
  options: CertifyOptions,
): Promise<Certification> {
  const { workers, blobs, signer, clock, onSigningFault } = options;
  let output: Uint8Array;
  try {
    output = await workers.sign(bytes, manifestFor(task, clock()), signer.credentials);
  } catch (error) {
    const isFileToBlame = error instanceof ImageFault && error.code === 'undecodable';
    if (!isFileToBlame) onSigningFault(error, task.imageId);
    const code = isFileToBlame ? 'image_damaged' : 'image_signing_failed';
    const shortOf = { code, detail: inspection.header.mediaType } as const;
    // one that was to be replaced stays for as long as it holds
    const standing = await earlierSignature({ ...task, sign: false }, inspection, options);
    const uncertified = {
      credentials: credentialsOf(inspection, inspection.uhash),
      trust: trustOf(inspection),
    };
    return { ...(standing ?? uncertified), shortOf };
  }
  const signedUhash = await uhash(output);
  await blobs.put(blobKey(signedUhash, inspection.header.mediaType), output);
  const trust = await signer.trust(async () => trustOf(await workers.inspect(output)));
  return certificationOf(inspection, trust, { uhash: signedUhash, signedUntil: signer.validUntil });
}

/** @param inspection - of the bytes before they were signed */
function certificationOf(
  inspection: ImageInspection,
  trust: SignerTrust,
  certified: CertifiedBytes,
): Certification {
  const credentials = { ...credentialsOf(inspection, certified.uhash), hasC2PA: true, hasManifest: true };
  return { credentials, trust, certified };
}

/**
 * The same bytes were signed before: nothing is signed twice while that signature stands. It is looked at anew, for it
 * may be by another chain than the one that signs now, and another list be in force. A store that asks for signatures no
 * more keeps those that it has.
 */
async function earlierSignature(
  { imageId, sign, before }: ImageTask,
  inspection: ImageInspection,
  { db, blobs, workers, signer, clock }: CertifyOptions,
): Promise<Certification | null> {
  const isKept = before?.signedByUs === true && before.sourceUhash === inspection.uhash;
  if (!sign && !isKept) return null;
  const row = await db
    .selectFrom('image_certifications')
    .select(['blob_key as key', 'signed_until as until'])
    .where('image_id', '=', imageId)
    .where('source_uhash', '=', inspection.uhash)
    .where('signed_by_us', '=', true)
    .executeTakeFirst();
  if (row === undefined || row.until === null) return null;
  const terms = { until: row.until, sign, renewedUntil: signer.validUntil, now: clock() };
  if (!isLasting(terms) || (await blobs.size(row.key)) === null) return null;
  const seen = await workers.inspect(await buffer(blobs.read(row.key)));
  if (!seen.manifest.valid) return null;
  return certificationOf(inspection, trustOf(seen), { uhash: seen.uhash, signedUntil: row.until });
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
