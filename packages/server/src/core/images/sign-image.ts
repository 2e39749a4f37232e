import { buffer } from 'node:stream/consumers';
import { type SignerTrust, VERSION } from '@touchstone/certificate';
import { PRODUCT_ASSERTION } from '@touchstone/certificate/binding';
import { type ManifestToSign, uhash } from '@touchstone/image';
import { ImageFault, type ImageInspection, type ImageWorkers } from '@touchstone/image/node';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { type BlobStore, blobKey } from './blobs/blob-store.ts';
import { type Certification, signedCertification, trustOf, uncertified } from './certification.ts';
import { isLasting, type ScanTask } from './scan-task.ts';
import { type ImageSigner, NEVER } from './signer.ts';

export interface SignImageOptions {
  readonly db: Database;
  readonly workers: Pick<ImageWorkers, 'inspect' | 'sign'>;
  readonly blobs: Pick<BlobStore, 'put' | 'size' | 'read'>;
  readonly signer: Pick<ImageSigner, 'credentials' | 'validUntil'>;
  readonly clock: Clock;
  /** Called for every signature that failed, except for files that cannot be decoded. */
  readonly onSigningFault: (error: unknown, imageId: string) => void;
}

/** Signs an image; if that fails, an earlier signature remains for as long as it is valid. */
export async function signImage(
  task: ScanTask,
  bytes: Uint8Array,
  inspection: ImageInspection,
  options: SignImageOptions & { readonly judgeSigner: (signed: Uint8Array) => Promise<SignerTrust> },
): Promise<Certification> {
  const { workers, blobs, signer, clock, onSigningFault } = options;
  let output: Uint8Array;
  try {
    output = await workers.sign(bytes, manifestFor(task, clock()), signer.credentials);
  } catch (error) {
    const isUndecodable = error instanceof ImageFault && error.code === 'undecodable';
    if (!isUndecodable) onSigningFault(error, task.imageId);
    const code = isUndecodable ? 'image_damaged' : 'image_signing_failed';
    const incomplete = { code, detail: inspection.header.mediaType } as const;
    const earlier = await earlierSignature({ ...task, sign: false }, inspection, options);
    return { ...(earlier ?? uncertified(inspection)), incomplete };
  }
  const until = await expiryOf(output, options);
  if (signer.credentials.timeStamp !== undefined && until < NEVER) {
    // without a time stamp the new signature has no advantage over one that lasts as long
    const earlier = await earlierSignature({ ...task, sign: false }, inspection, options);
    if (earlier?.certified?.signedUntil !== undefined && earlier.certified.signedUntil >= until)
      return earlier;
  }
  const signedUhash = await uhash(output);
  await blobs.put(blobKey(signedUhash, inspection.header.mediaType), output);
  return signedCertification(inspection, await options.judgeSigner(output), signedUhash, until);
}

/** When a signature of ours expires. */
async function expiryOf(
  signed: Uint8Array,
  { workers, signer: { credentials, validUntil } }: SignImageOptions,
): Promise<Date> {
  if (credentials.timeStamp === undefined) return validUntil;
  const { manifest } = await workers.inspect(signed);
  return manifest.signer?.timeTrusted === true ? NEVER : validUntil;
}

/**
 * The earlier signature of the same bytes, which are not signed again while it is valid; `null`: there is none. It is inspected
 * again, since the signer and the trust list may have changed. A store that turns signing off keeps the signatures it has.
 */
export async function earlierSignature(
  { merchantId, imageId, sign, before }: ScanTask,
  inspection: ImageInspection,
  { db, blobs, workers, signer, clock }: SignImageOptions,
): Promise<Certification | null> {
  const isSignedByUs = before?.signedByUs === true && before.sourceUhash === inspection.uhash;
  if (!sign && !isSignedByUs) return null;
  const row = await db
    .selectFrom('image_certifications')
    .select(['blob_key as key', 'signed_until as until'])
    .where('merchant_id', '=', merchantId)
    .where('image_id', '=', imageId)
    .where('source_uhash', '=', inspection.uhash)
    .where('signed_by_us', '=', true)
    .executeTakeFirst();
  if (row === undefined || row.until === null) return null;
  const terms = { until: row.until, sign, renewedUntil: signer.validUntil, now: clock() };
  if (!isLasting(terms) || (await blobs.size(row.key)) === null) return null;
  const signed = await workers.inspect(await buffer(blobs.read(row.key)));
  if (!signed.manifest.valid) return null;
  return signedCertification(inspection, trustOf(signed), signed.uhash, row.until);
}

/** The manifest that we sign into an image: its store published it unchanged, for a product. */
function manifestFor({ product, store, imageId, url }: ScanTask, now: Date): ManifestToSign {
  return {
    title: product.name,
    claimGenerator: { name: 'Touchstone', version: VERSION },
    actions: [{ action: 'c2pa.published', when: now.toISOString() }],
    assertions: [
      {
        label: PRODUCT_ASSERTION,
        data: {
          imageId,
          imageUrl: url,
          productId: product.id,
          productName: product.name,
          productUrl: product.url,
          storeName: store.name,
          storeUrl: store.url,
        },
      },
    ],
  };
}
