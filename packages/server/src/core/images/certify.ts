import type { SignerTrust } from '@touchstone/certificate';
import { otherStoreOf } from '@touchstone/certificate/binding';
import type { ImageInspection } from '@touchstone/image/node';
import { blobKey } from './blobs/blob-store.ts';
import { type Certification, credentialsOf, trustOf, uncertified, undecodable } from './certification.ts';
import type { ScanTask } from './scan-task.ts';
import { earlierSignature, type SignImageOptions, signImage } from './sign-image.ts';

/** @param inspection - of these bytes */
export type Certify = (
  task: ScanTask,
  bytes: Uint8Array,
  inspection: ImageInspection,
) => Promise<Certification>;

/**
 * Certifies images. One that cannot be decoded is not certified, whatever its manifest, since its content cannot be displayed.
 * One whose own manifest validates is certified unchanged, unless we signed it for another store. One without a manifest is
 * signed by us if its store has enabled signing; one with a remote manifest only if the store has enabled that, too. One whose
 * manifest does not validate is not certified: signing it would conceal that it was altered.
 */
export function createCertify(options: SignImageOptions): Certify {
  let signerTrust: SignerTrust | undefined;
  const judgeSigner = async (signed: Uint8Array) => {
    // once: neither the chain nor the trust list changes while the service runs
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
      if (task.sign) return signImage(task, bytes, inspection, { ...options, judgeSigner });
    }
    return uncertified(inspection);
  };
}

/** Code of a remote manifest; it is never fetched (C2PA 2.1, 11.4). */
const INACCESSIBLE = 'manifest.inaccessible';

function namesRemoteManifest({ manifest }: ImageInspection): boolean {
  return !manifest.hasManifest && manifest.failures.some(({ code }) => code === INACCESSIBLE);
}

async function certifyAsItIs(
  { merchantId, imageId, product, hosts }: ScanTask,
  bytes: Uint8Array,
  inspection: ImageInspection,
  { db, blobs }: SignImageOptions,
): Promise<Certification> {
  const other = otherStoreOf(inspection.manifest.assertions, { productId: product.id, hosts });
  if (other !== null) {
    const code = 'image_issued_to_another_store';
    return { ...uncertified(inspection, code), incomplete: { code, detail: `It names ${other}.` } };
  }
  const key = blobKey(inspection.uhash, inspection.header.mediaType);
  await blobs.put(key, bytes);
  // the shop may serve the file that we signed
  const ours = await db
    .selectFrom('image_certifications')
    .select('signed_until as until')
    .where('merchant_id', '=', merchantId)
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
