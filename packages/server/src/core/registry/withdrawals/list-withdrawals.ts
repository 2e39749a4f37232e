import type { WithdrawalList, WithdrawalListQuery } from '@touchstone/contract';
import { type SqlBool, sql } from 'kysely';
import { ServiceError } from '../../../platform/errors.ts';
import type { Scope } from '../../../platform/http/access.ts';
import { pageOf, type Registry } from '../context.ts';
import { merchantOf } from '../find-store.ts';

/**
 * What was withdrawn for good of a merchant, the latest first.
 *
 * @throws ServiceError `bad_request` if an operator names no merchant, store or product
 */
export async function listWithdrawals(
  { db }: Pick<Registry, 'db'>,
  scope: Scope,
  { merchantId, storeId, productId, cursor, limit }: WithdrawalListQuery,
): Promise<WithdrawalList> {
  const known = storeId ?? productId;
  const owner =
    scope === 'all'
      ? (merchantId ?? (known === undefined ? undefined : merchantOf(known)))
      : scope.merchantId;
  if (owner === undefined)
    throw new ServiceError('bad_request', { message: 'Name a merchantId, storeId or productId.' });
  const rows = await db
    .selectFrom('withdrawals')
    .selectAll()
    .where('merchant_id', '=', owner)
    // of a merchant's own, others are none
    .$if(merchantId !== undefined, (select) => select.where(sql<SqlBool>`merchant_id = ${merchantId}`))
    .$if(storeId !== undefined, (select) => select.where('store_id', '=', storeId ?? ''))
    .$if(productId !== undefined, (select) => select.where('product_id', '=', productId ?? ''))
    .$if(cursor !== undefined, (select) => select.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next } = pageOf(rows, limit, ({ id }) => id);
  return {
    withdrawals: page.map((row) => ({
      id: row.id,
      merchantId: row.merchant_id,
      cause: row.cause,
      at: row.at.toISOString(),
      ...(row.store_id === null ? {} : { storeId: row.store_id }),
      ...(row.product_id === null ? {} : { productId: row.product_id }),
      ...(row.kid === null ? {} : { kid: row.kid }),
      ...(row.reason === null ? {} : { reason: row.reason }),
      ...(row.by_key === null ? {} : { byKey: row.by_key }),
      ...(row.change_id === null ? {} : { changeId: row.change_id }),
    })),
    ...next,
  };
}
