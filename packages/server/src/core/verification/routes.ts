import * as contract from '@touchstone/contract';
import { answerBatch, type BatchOptions } from '../../platform/http/batch.ts';
import { implement, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import type { VerifyWithReceipt } from './receipts.ts';
import type { VerifyImage } from './verify-image.ts';

export interface VerificationUseCases {
  readonly verifyProduct: VerifyWithReceipt;
  readonly verifyImage: VerifyImage;
}

export function verificationRoutes(use: VerificationUseCases, batch: BatchOptions): Route[] {
  return [
    implement(contract.verifyProductCertificate, async ({ params, body }, { caller }) => {
      const { productUrl: pageUrl, ...asked } = body;
      return ok(await use.verifyProduct({ productId: params.product_id, pageUrl, ...asked, caller }));
    }),
    implement(contract.verifyImageCertificate, async ({ params, body }) =>
      ok(await use.verifyImage({ imageId: params.image_id, ...body })),
    ),
    implement(contract.verifyBatch, async ({ body }, call) => {
      const results = await answerBatch(
        contract.VerifyItemSchema,
        body.items,
        call,
        batch,
        ({ productUrl: pageUrl, ...item }) => use.verifyProduct({ pageUrl, ...item, caller: call.caller }),
        (_item, text) => text,
      );
      return ok({ results });
    }),
  ];
}
