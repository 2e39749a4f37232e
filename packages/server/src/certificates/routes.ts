import { AssetCertificateSchema, ProductCertificateSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { documentReply } from '../platform/http/document-reply.ts';
import { type Operation, operation } from '../platform/http/operation.ts';
import { uuidParameter } from '../platform/http/uuid-parameter.ts';
import type { GetAssetCertificate } from './get-asset-certificate.ts';
import type { GetCertificate } from './get-certificate.ts';

export interface CertificateUseCases {
  readonly getCertificate: GetCertificate;
  readonly getAssetCertificate: GetAssetCertificate;
}

const LD_JSON = 'application/ld+json';
const STATES = `A product that is not active answers an identity-only document: 200, without images, coverage,
verification and proof. Unknown, disabled and deleted ones are 404.`;

/** Spec, Endpoints 1 and 2. */
export function certificateRows(use: CertificateUseCases): Operation[] {
  return [
    operation({
      id: 'getProductCertificate',
      method: 'GET',
      path: '/api/v1/mc4p/products/{product_id}/certificate',
      tag: 'Certificates',
      summary: 'Get a product certificate',
      description: STATES,
      access: 'public',
      anyOrigin: true,
      hot: true,
      params: z.object({ product_id: uuidParameter('The product.') }),
      responses: {
        200: {
          description: 'The certificate; fresh for a day.',
          schema: ProductCertificateSchema,
          mediaType: LD_JSON,
        },
        304: { description: 'The copy at hand still holds.' },
      },
      errors: ['product_unknown', 'signer_unavailable'],
      handle: async ({ params }) => documentReply(await use.getCertificate(params.product_id)),
    }),
    operation({
      id: 'getAssetCertificate',
      method: 'GET',
      path: '/api/v1/mc4p/assets/{asset_id}/certificate',
      tag: 'Certificates',
      summary: 'Get an asset (image) certificate',
      description: STATES,
      access: 'public',
      anyOrigin: true,
      hot: true,
      params: z.object({ asset_id: uuidParameter('The image.') }),
      responses: {
        200: {
          description: 'The certificate; fresh for a day.',
          schema: AssetCertificateSchema,
          mediaType: LD_JSON,
        },
        304: { description: 'The copy at hand still holds.' },
      },
      errors: ['asset_unknown', 'asset_not_image', 'signer_unavailable'],
      handle: async ({ params }) => documentReply(await use.getAssetCertificate(params.asset_id)),
    }),
  ];
}
