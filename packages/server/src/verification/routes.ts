import { ProductVerificationRequestSchema, VerificationResultSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { type Operation, operation } from '../platform/http/operation.ts';
import { uuidParameter } from '../platform/http/uuid-parameter.ts';
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
