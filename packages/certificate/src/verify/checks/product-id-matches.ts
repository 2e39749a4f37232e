import { sameProductId } from '../../binding/product-ids.ts';
import { type CheckContext, failed, passed, textClaim } from '../check-context.ts';
import type { CheckResult } from '../types.ts';

/** Signed `productId` equals the requested product (spec "Verify verdicts"). */
export function productIdMatches(context: CheckContext): CheckResult {
  const productId = textClaim(context, 'productId');
  if (typeof productId !== 'string') return productId;
  if (sameProductId(productId, context.productId)) return passed;
  return failed('product_differs', context.productId, productId);
}
