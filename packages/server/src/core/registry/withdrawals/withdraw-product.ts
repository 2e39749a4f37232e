import type { ProductView, ProductWithdrawal } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Scope } from '../../../platform/http/access.ts';
import { CHANGED, changedBy } from '../changed-products.ts';
import type { Registry } from '../context.ts';
import { withProduct } from '../products/change-product.ts';
import { getProduct } from '../products/read-products.ts';

/**
 * Withdraws the certificates of a product for good. Unless new ones are wanted at once, the product is hidden too, and no row of the
 * shop shows it: none are issued until its merchant shows it again.
 *
 * @param keyId - of the caller, which is listed
 * @throws ServiceError `product_unknown`, also for one out of scope
 */
export async function withdrawProduct(
  registry: Registry,
  scope: Scope,
  id: string,
  { reason, reissue = false }: ProductWithdrawal,
  keyId?: string,
): Promise<ProductView> {
  await withProduct(
    registry,
    scope,
    id,
    (trx, product) =>
      changedBy(
        trx,
        sql`update products p set visible = visible and ${reissue}::boolean, updated_at = ${registry.clock()},
            kept_hidden_since = case when ${reissue} then kept_hidden_since else ${registry.clock()} end
          where merchant_id = ${product.merchant_id} and id = ${id} returning ${CHANGED}`,
      ),
    { keyId, withdrawn: { productIds: [id.toLowerCase()], reason } },
  );
  return getProduct(registry, scope, id);
}
