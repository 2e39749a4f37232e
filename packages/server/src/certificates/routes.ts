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
      { atHand: (id, query) => (query === '' ? use.atHand.product(id) : undefined) },
    ),
    implement(
      contract.getAssetCertificate,
      async ({ params }) => documentReply(await use.getAssetCertificate(params.asset_id)),
      { atHand: (id, query) => (query === '' ? use.atHand.asset(id) : undefined) },
    ),
    implement(
      contract.getImageCertificate,
      async ({ params, query }) =>
        documentReply(
          await use.getImageCertificate(params.image_id, query.full === 'true' ? 'full' : 'minimal'),
        ),
      {
        atHand: (id, query) => {
          if (query === '') return use.atHand.image(id, 'minimal');
          return query === '?full=true' ? use.atHand.image(id, 'full') : undefined;
        },
      },
    ),
  ];
}
