import * as contract from '@touchstone/contract';
import { documentReply, implement } from '../platform/http/implement.ts';
import type { Route } from '../platform/http/route.ts';
import type { GetAssetCertificate } from './get-asset-certificate.ts';
import type { GetImageCertificate } from './get-image-certificate.ts';
import type { GetCertificate } from './get-product-certificate.ts';
import type { CertificatesAtHand } from './open-certificates.ts';

export interface CertificateUseCases {
  readonly getCertificate: GetCertificate;
  readonly getAssetCertificate: GetAssetCertificate;
  readonly getImageCertificate: GetImageCertificate;
  readonly atHand: CertificatesAtHand;
}

export function certificateRoutes(use: CertificateUseCases): Route[] {
  return [
    implement(
      contract.getProductCertificate,
      async ({ params }) => documentReply(await use.getCertificate(params.product_id)),
      { atHand: (id) => use.atHand.product(id) },
    ),
    implement(
      contract.getAssetCertificate,
      async ({ params }) => documentReply(await use.getAssetCertificate(params.asset_id)),
      { atHand: (id) => use.atHand.asset(id) },
    ),
    implement(contract.getImageCertificate, async ({ params, query }) =>
      documentReply(
        await use.getImageCertificate(params.image_id, query.full === 'true' ? 'full' : 'minimal'),
      ),
    ),
  ];
}
