import { buffer } from 'node:stream/consumers';
import type { CredentialsFinding, ImageCredentials, SignerTrust } from '@touchstone/certificate';
import { VERSION } from '@touchstone/certificate';
import { otherStoreOf, PRODUCT_ASSERTION } from '@touchstone/certificate/binding';
import { type ManifestToSign, uhash } from '@touchstone/image';
import { ImageFault, type ImageInspection, type ImageWorkers } from '@touchstone/image/node';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { type BlobStore, blobKey } from './blobs/blob-store.ts';
import type { Certification } from './scan-result.ts';
import { isLasting, type ScanTask } from './scan-task.ts';
import { type ImageSigner, NO_END } from './signer.ts';

/** @param inspection - of these bytes */
export type Certify = (
  task: ScanTask,
  bytes: Uint8Array,
  inspection: ImageInspection,
) => Promise<Certification>;

export interface CertifyOptions {
  readonly db: Database;
  readonly workers: Pick<ImageWorkers, 'inspect' | 'sign'>;
  readonly blobs: Pick<BlobStore, 'put' | 'size' | 'read'>;
  readonly signer: Pick<ImageSigner, 'credentials' | 'validUntil'>;
  readonly clock: Clock;
  /** Called for every signature that could not be made, but for those of files that are not sound enough for one. */
  readonly onSigningFault: (error: unknown, imageId: string) => void;
}

/**
 * A picture that cannot be decoded is certified by nobody, whatever its manifest: nobody can see what it would be
 * certified to show. An image whose own manifest validates is certified as it is, unless we signed it for another store.
 * One without any is signed by us, where its store asks for it; where the manifest lies elsewhere, only if the store asks
 * for these, too. One whose manifest does not validate is certified by nobody: to sign it would cover up what was done.
 */
export function createCertify(options: CertifyOptions): Certify {
  let signerTrust: SignerTrust | undefined;
  const judgeSigner = async (signed: Uint8Array) => {
    // asked once: neither chain nor list changes while we run
    signerTrust ??= trustOf(await options.workers.inspect(signed));
    return signerTrust;
  };
  return async (task, bytes, inspection) => {
    const { manifest } = inspection;
    if (inspection.phash === undefined) return undecodable(inspection);
    if (manifest.valid) return certifyAsItIs(task, bytes, inspection, options);
    if (!manifest.hasManifest) {
      const earlier = await earlierSignature(task, inspection, options);
      if (earlier !== null) return earlier;
      if (namesRemoteManifest(inspection) && !task.signRemote) {
        const code = 'image_manifest_remote';
        const found = uncertified(inspection, code);
        return task.sign ? { ...found, incomplete: { code, detail: '' } } : found;
      }
      if (task.sign) return signAnew(task, bytes, inspection, { ...options, judgeSigner });
    }
    return uncertified(inspection);
  };
}

/** Code of a manifest that an image names, and that lies elsewhere: it is never fetched (C2PA 2.1, 11.4). */
const INACCESSIBLE = 'manifest.inaccessible';

function namesRemoteManifest({ manifest }: ImageInspection): boolean {
  return !manifest.hasManifest && manifest.failures.some(({ code }) => code === INACCESSIBLE);
}

function uncertified(inspection: ImageInspection, finding?: CredentialsFinding): Certification {
  const credentials = credentialsOf(inspection, inspection.uhash);
  return {
    credentials: finding === undefined ? credentials : { ...credentials, hasC2PA: false, finding },
    trust: trustOf(inspection),
    manifestFailures: inspection.manifest.failures.map(({ code }) => code),
  };
}

async function certifyAsItIs(
  { imageId, product, hosts }: ScanTask,
  bytes: Uint8Array,
  inspection: ImageInspection,
  { db, blobs }: CertifyOptions,
): Promise<Certification> {
  const other = otherStoreOf(inspection.manifest.assertions, { productId: product.id, hosts });
  if (other !== null) {
    const code = 'image_issued_to_another_store';
    return { ...uncertified(inspection, code), incomplete: { code, detail: `It names ${other}.` } };
  }
  const key = blobKey(inspection.uhash, inspection.header.mediaType);
  await blobs.put(key, bytes);
  // the shop serves the file that we signed: it is ours still
  const ours = await db
    .selectFrom('image_certifications')
    .select('signed_until as until')
    .where('image_id', '=', imageId)
    .where('blob_key', '=', key)
    .where('signed_until', 'is not', null)
    .executeTakeFirst();
  const signedUntil = ours?.until ?? undefined;
  return {
    credentials: credentialsOf(inspection, inspection.uhash),
    trust: trustOf(inspection),
    certified: { blobKey: key, ...(signedUntil === undefined ? {} : { signedUntil }) },
  };
}

function undecodable({ manifest, header }: ImageInspection): Certification {
  return {
    credentials: { hasC2PA: false, hasManifest: manifest.hasManifest },
    trust: { ...manifest.trust, status: 'none' },
    incomplete: { code: 'image_damaged', detail: header.mediaType },
  };
}

async function signAnew(
  task: ScanTask,
  bytes: Uint8Array,
  inspection: ImageInspection,
  options: CertifyOptions & { readonly judgeSigner: (signed: Uint8Array) => Promise<SignerTrust> },
): Promise<Certification> {
  const { workers, blobs, signer, clock, onSigningFault } = options;
  let output: Uint8Array;
  try {
    output = await workers.sign(bytes, manifestFor(task, clock()), signer.credentials);
  } catch (error) {
    const isFileToBlame = error instanceof ImageFault && error.code === 'undecodable';
    if (!isFileToBlame) onSigningFault(error, task.imageId);
    const code = isFileToBlame ? 'image_damaged' : 'image_signing_failed';
    const incomplete = { code, detail: inspection.header.mediaType } as const;
    // one that was to be replaced stays for as long as it holds
    const standing = await earlierSignature({ ...task, sign: false }, inspection, options);
    return { ...(standing ?? uncertified(inspection)), incomplete };
  }
  const until = await endOf(output, options);
  if (signer.credentials.timeStamp !== undefined && until < NO_END) {
    // no stamp to be had now: one signature without is as good as another
    const standing = await earlierSignature({ ...task, sign: false }, inspection, options);
    if (standing?.certified?.signedUntil !== undefined && standing.certified.signedUntil >= until)
      return standing;
  }
  const signedUhash = await uhash(output);
  await blobs.put(blobKey(signedUhash, inspection.header.mediaType), output);
  return certificationOf(inspection, await options.judgeSigner(output), signedUhash, until);
}

async function endOf(
  signed: Uint8Array,
  { workers, signer: { credentials, validUntil } }: CertifyOptions,
): Promise<Date> {
  if (credentials.timeStamp === undefined) return validUntil;
  const { manifest } = await workers.inspect(signed);
  return manifest.signer?.timeTrusted === true ? NO_END : validUntil;
}

/**
 * @param inspection - of the bytes before they were signed
 * @param signedUhash - of the bytes after it
 */
function certificationOf(
  inspection: ImageInspection,
  trust: SignerTrust,
  signedUhash: string,
  signedUntil: Date,
): Certification {
  const credentials = { ...credentialsOf(inspection, signedUhash), hasC2PA: true, hasManifest: true };
  const key = blobKey(signedUhash, inspection.header.mediaType);
  return { credentials, trust, certified: { blobKey: key, signedUntil } };
}

/**
 * The same bytes were signed before: nothing is signed twice while that signature stands. It is inspected anew, for it
 * may be by another chain than the one that signs now, and another list be in force. A store that asks for signatures no
 * more keeps those that it has.
 */
async function earlierSignature(
  { imageId, sign, before }: ScanTask,
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
  const standing = await workers.inspect(await buffer(blobs.read(row.key)));
  if (!standing.manifest.valid) return null;
  return certificationOf(inspection, trustOf(standing), standing.uhash, row.until);
}

/** @param of - uhash of the bytes that carry the credentials; the pixels are the same, and so is the phash */
function credentialsOf({ manifest, phash }: ImageInspection, of: string): ImageCredentials {
  return {
    hasC2PA: manifest.valid,
    hasManifest: manifest.hasManifest,
    ...(phash === undefined ? {} : { hashes: { uhash: of, phash } }),
  };
}

/** Of a manifest that does not validate, naming a signer would mislead. */
function trustOf({ manifest }: ImageInspection): SignerTrust {
  const { signer, trust, valid } = manifest;
  if (!valid) return { ...trust, status: 'none' };
  const name = signer?.commonName ?? signer?.issuer;
  return { ...trust, ...(name === undefined ? {} : { signer: name.slice(0, 200) }) };
}

/** The manifest that we sign into an image: it was published as it is, by its store, for a product. */
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
