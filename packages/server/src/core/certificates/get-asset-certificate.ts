import { assetCertificate, identityOnlyAsset } from '@touchstone/certificate/issue';
import type { AssetCertificate } from '@touchstone/contract';
import { ServiceError } from '../../platform/errors.ts';
import type { RenderedDocument } from '../../platform/http/rendered-document.ts';
import type { CertificateOptions } from './get-product-certificate.ts';
import { imageIn, snapshotOfImage } from './image-snapshot.ts';
import { renderCertificate } from './rendered-certificate.ts';
import { signedBy } from './signed-document.ts';

/**
 * Spec, Endpoints 2: the certificate of an image.
 *
 * @throws ServiceError `asset_unknown` (unknown, removed, given up before it was ever opened, or its product unknown,
 *   disabled or deleted),
 *   `asset_not_image`, `signer_unavailable`, `database_unavailable`
 */
export type GetAssetCertificate = (
  assetId: string,
) => RenderedDocument<AssetCertificate> | Promise<RenderedDocument<AssetCertificate>>;

export function createGetAssetCertificate(options: CertificateOptions): GetAssetCertificate {
  const { snapshots, proofs, cache, addresses } = options;

  const load = async (assetId: string) => {
    const asset = await snapshots.asset(assetId);
    if (asset === null) throw new ServiceError('asset_unknown');
    const { image, snapshot } = asset;
    if (!asset.isImage) throw new ServiceError('asset_not_image');
    if (image.givenUp) throw new ServiceError('asset_unknown');
    if (asset.state === 'not_active')
      return renderCertificate(asset, identityOnlyAsset(snapshot, image, addresses));
    const proof = await proofs.proofFor({
      merchantId: asset.merchantId,
      kind: 'asset',
      id: image.imageId,
      snapshot: snapshotOfImage(snapshot, image),
      withdrawnAt: asset.withdrawnAt,
    });
    const recorded = imageIn(proof.snapshot, image.imageId);
    const document = assetCertificate(proof.snapshot, recorded, signedBy(proof), addresses);
    return renderCertificate(asset, document, proof);
  };

  return (assetId) => {
    const id = assetId.toLowerCase();
    return cache.get(`a:${id}`, () => load(id));
  };
}
