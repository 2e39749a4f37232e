import {
  ImageVerificationRequestSchema,
  ImageVerificationResultSchema,
  ProductVerificationRequestSchema,
  VerificationResultSchema,
} from '@touchstone/certificate/schema';
import { z } from 'zod';
import { type Operation, operation } from '../platform/http/operation.ts';
import { uuidParameter } from '../platform/http/uuid-parameter.ts';
import type { VerifyImage } from './verify-image.ts';
import type { VerifyProduct } from './verify-product.ts';

const DESCRIPTION = `Tells whether a certificate is bound to this product and to the page that it was found on. Without a
\`document\` only the domain checks run. A document that is not one signed node is not an error: the verdict is
\`unverified\`, and a warning says why.`;

/** Spec, Endpoints 3. */
export function verificationRows(use: { readonly verifyProduct: VerifyProduct }): Operation[] {
  return [
    operation({
      id: 'verifyProductCertificate',
      method: 'POST',
      path: '/api/v1/mc4p/products/{product_id}/verify',
      tag: 'Verification',
      summary: 'Verify a product certificate',
      description: DESCRIPTION,
      access: 'public',
      anyOrigin: true,
      params: z.object({ product_id: uuidParameter('The product that the page claims to show.') }),
      body: ProductVerificationRequestSchema,
      responses: { 200: { description: 'Verdict, checks and reasons.', schema: VerificationResultSchema } },
      errors: ['product_unknown', 'keys_unavailable'],
      handle: async ({ params, body }) => {
        const { productUrl: pageUrl, document } = body;
        const result = await use.verifyProduct({ productId: params.product_id, pageUrl, document });
        return { status: 200, headers: { 'cache-control': 'no-store' }, body: result };
      },
    }),
  ];
}

/** Spec, Endpoints 6: verifying one. */
export function imageVerificationRows(use: { readonly verifyImage: VerifyImage }): Operation[] {
  return [
    operation({
      id: 'verifyImageCertificate',
      method: 'POST',
      path: '/api/v1/mc4p/{image_id}/verify',
      tag: 'Verification',
      summary: 'Verify an image-keyed certificate',
      description: `Tells whether the certificate of an image holds on the domain where it was observed, and whether the
image is bound to a value (\`verifyField\`, \`fieldValue\`). What is not verified has a status of its own, with the
result in the member \`result\` of the problem. \`certificateConsistency\` is about our record and its proof; whether
the bytes carry a sound C2PA manifest is to be checked on the bytes, with the full certificate at hand.`,
      access: 'public',
      anyOrigin: true,
      bodyFaultsAre400: true,
      params: z.object({ image_id: uuidParameter('The image.') }),
      body: ImageVerificationRequestSchema,
      responses: { 200: { description: 'It is verified.', schema: ImageVerificationResultSchema } },
      errors: [
        'bad_request',
        'image_certificate_unknown',
        'certificate_paused',
        'domain_not_authorized',
        'field_differs',
        'domain_unverified',
        'field_unsupported',
        'field_value_missing',
        'proof_invalid',
        'signer_unavailable',
        'keys_unavailable',
      ],
      handle: async ({ params: { image_id }, body }) => ({
        status: 200,
        headers: { 'cache-control': 'no-store' },
        body: await use.verifyImage({ imageId: image_id, ...body }),
      }),
    }),
  ];
}
