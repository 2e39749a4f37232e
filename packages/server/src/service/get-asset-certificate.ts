import type { ImageSnapshot, ProductSnapshot } from '@touchstone/certificate';
import { assetCertificate, identityOnlyAsset } from '@touchstone/certificate/issue';
import { ServiceError } from '../errors.ts';
import { loadAsset } from '../registry/load-snapshot.ts';
import { certificateOf } from './certificate-cache.ts';
import type { CertificateOptions } from './get-certificate.ts';
import type { RenderedDocument } from './rendered-document.ts';

/**
 * Spec, Endpoints 2: the certificate of an image.
 *
 * @throws ServiceError `asset_unknown` (unknown, removed, or its product unknown, disabled or deleted),
 *   `asset_not_image` (decision 20), `signer_unavailable`, `database_unavailable`
 */
export type GetAssetCertificate = (assetId: string) => Promise<RenderedDocument>;

export function createGetAssetCertificate(options: CertificateOptions): GetAssetCertificate {
  const { db, proofs, cache, addresses } = options;

  const load = async (assetId: string) => {
    const asset = await loadAsset(db, assetId);
    if (asset === null) throw new ServiceError('asset_unknown');
    const { image, snapshot } = asset;
    if (!isImage(image)) throw new ServiceError('asset_not_image');
    if (asset.state === 'not_active')
      return certificateOf(asset, identityOnlyAsset(snapshot, image, addresses));
    const proof = await proofs.proofFor({
      kind: 'asset',
      id: image.imageId,
      snapshot: snapshotOfAsset(snapshot, image),
    });
    const recorded = proof.snapshot.images.find(({ imageId }) => imageId === image.imageId);
    if (recorded === undefined) throw new Error(`the recorded snapshot of asset ${assetId} does not hold it`);
    const signed = { jwt: proof.jwt, issuedAt: proof.issuedAt.toISOString(), kid: proof.kid };
    return certificateOf(asset, assetCertificate(proof.snapshot, recorded, signed, addresses), proof);
  };

  return (assetId) => {
    const id = assetId.toLowerCase();
    return cache.get(`a:${id}`, () => load(id));
  };
}

/** What is known to be something else is no image; what has not been looked at is one until then. */
function isImage({ encodingFormat }: ImageSnapshot): boolean {
  return encodingFormat === undefined || encodingFormat.startsWith('image/');
}

/**
 * What an asset's proof and document say of its product, and no more: a change of a sibling image or of an
 * attribute must not cost every image of the product a new proof.
 */
function snapshotOfAsset(product: ProductSnapshot, image: ImageSnapshot): ProductSnapshot {
  const { productId, externalProductId, name, url, domain, storeName, storeUrl } = product;
  return {
    productId,
    externalProductId,
    name,
    url,
    domain,
    storeName,
    storeUrl,
    attributes: [],
    images: [image],
  };
}
