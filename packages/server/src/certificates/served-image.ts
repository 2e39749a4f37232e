import type { AuthorizedDomain } from '@touchstone/certificate/verify-image';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import { type LoadedAsset, loadAsset } from './load-snapshot.ts';
import { isImage, snapshotOfImage } from './one-image.ts';
import type { Proof, ProofStore } from './proofs/proof-store.ts';

/** An image whose certificate is served now, and the proof behind it. */
export interface ServedImage {
  readonly asset: LoadedAsset;
  readonly proof: Proof;
  /** The domain it is issued for, then the other live domains of its store. */
  readonly authorizedDomains: readonly AuthorizedDomain[];
}

/**
 * Reads an image for its image-keyed certificate (decision 19).
 *
 * @throws ServiceError `image_certificate_unknown`: unknown, removed, no image at all, or of a product that is
 *   disabled, deleted, or hidden by its merchant; `certificate_paused`: the plan does not carry it now;
 *   `signer_unavailable`, `database_unavailable`
 */
export async function loadServedImage(
  { db, proofs }: { readonly db: Database; readonly proofs: ProofStore },
  imageId: string,
): Promise<ServedImage> {
  const asset = await loadAsset(db, imageId);
  if (asset === null || !isImage(asset.image)) throw new ServiceError('image_certificate_unknown');
  if (asset.why === 'paused' || asset.why === 'no_slot') throw new ServiceError('certificate_paused');
  if (asset.state === 'not_active') throw new ServiceError('image_certificate_unknown');
  const { snapshot, image, domains } = asset;
  const proof = await proofs.proofFor({
    kind: 'image',
    id: image.imageId,
    snapshot: snapshotOfImage(snapshot, image),
  });
  const isOwn = ({ hostname }: AuthorizedDomain) => hostname === snapshot.domain;
  const authorizedDomains = domains.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  return { asset, proof, authorizedDomains };
}
