import * as contract from '@touchstone/contract';
import type { z } from 'zod';
import { answerBatch, type BatchOptions } from '../../platform/http/batch.ts';
import { implement, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import type { VerifyImage } from './verify-image.ts';
import type { VerifyProduct } from './verify-product.ts';

export interface VerificationUseCases {
  readonly verifyProduct: VerifyProduct;
  readonly verifyImage: VerifyImage;
}

/** Whether the body is surely valid; faster than the contract's schema by a factor of ten. */
function isVerifyRequest(body: unknown): body is z.infer<typeof contract.verifyProductCertificate.body> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const { productUrl } = body as { productUrl?: unknown };
  return typeof productUrl === 'string' && productUrl.isWellFormed() && !productUrl.includes('\0');
}

export function verificationRoutes(use: VerificationUseCases, batch: BatchOptions): Route[] {
  return [
    implement(
      contract.verifyProductCertificate,
      async ({ params, body }) => {
        const { productUrl: pageUrl, document } = body;
        return ok(await use.verifyProduct({ productId: params.product_id, pageUrl, document }));
      },
      {
        cachedAnswer: ({ id: productId, body }) => {
          if (!isVerifyRequest(body)) return undefined;
          const { productUrl: pageUrl, document } = body;
          const result = use.verifyProduct.ifCached({ productId, pageUrl, document });
          return result === undefined ? undefined : JSON.stringify(result);
        },
      },
    ),
    implement(contract.verifyImageCertificate, async ({ params, body }) =>
      ok(await use.verifyImage({ imageId: params.image_id, ...body })),
    ),
    implement(contract.verifyBatch, async ({ body }, call) => {
      const results = await answerBatch(
        contract.VerifyItemSchema,
        body.items,
        call,
        batch,
        ({ productId, productUrl: pageUrl, document }) => use.verifyProduct({ productId, pageUrl, document }),
        (_item, text) => text,
      );
      return ok({ results });
    }),
  ];
}
