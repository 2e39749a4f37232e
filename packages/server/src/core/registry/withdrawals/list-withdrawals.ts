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
    .selectFrom('withdrawals as w')
    .leftJoin('products as p', (join) =>
      join.onRef('p.merchant_id', '=', 'w.merchant_id').onRef('p.id', '=', 'w.product_id'),
    )
    .leftJoin('stores as s', (join) =>
      join.onRef('s.merchant_id', '=', 'w.merchant_id').onRef('s.id', '=', 'w.store_id'),
    )
    .leftJoin('api_keys as k', 'k.id', 'w.by_key')
    .selectAll('w')
    .select(['p.name', 'p.external_product_id', 'k.role', 'k.label'])
    .select(['p.deleted_at as product_deleted_at', 's.deleted_at as store_deleted_at'])
    .where('w.merchant_id', '=', owner)
    // of a merchant's own, others are none
    .$if(merchantId !== undefined, (select) => select.where(sql<SqlBool>`w.merchant_id = ${merchantId}`))
    .$if(storeId !== undefined, (select) => select.where('w.store_id', '=', storeId ?? ''))
    .$if(productId !== undefined, (select) => select.where('w.product_id', '=', productId ?? ''))
    .$if(cursor !== undefined, (select) => select.where('w.id', '<', cursor ?? ''))
    .orderBy('w.id', 'desc')
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
      ...(row.name === null ? {} : { productName: row.name }),
      ...(row.external_product_id === null ? {} : { externalProductId: row.external_product_id }),
      ...(row.store_deleted_at !== null
        ? { deleted: 'store' as const }
        : row.product_deleted_at !== null
          ? { deleted: 'product' as const }
          : {}),
      ...(row.kid === null ? {} : { kid: row.kid }),
      ...(row.reason === null ? {} : { reason: row.reason }),
      ...(row.by_key === null ? {} : { byKey: row.by_key }),
      ...(row.role === null ? {} : { byRole: row.role }),
      // merchants do not see the label of an operator's key
      ...(row.role === 'merchant' && row.label ? { byLabel: row.label } : {}),
      ...(row.change_id === null ? {} : { changeId: row.change_id }),
    })),
    ...next,
  };
}
