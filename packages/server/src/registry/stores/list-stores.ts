import type { StoreList, StoreListQuery } from '@touchstone/contract';
import type { Scope } from '../../platform/http/access.ts';
import type { Registry } from '../context.ts';

/**
 * The stores that a caller may see, by id, so that a cursor stays good whatever comes and goes. An importer finds
 * its store here by the address instead of making a second one.
 */
export async function listStores(
  registry: Registry,
  scope: Scope,
  query: StoreListQuery,
): Promise<StoreList> {
  const rows = await registry.db
    .selectFrom('stores')
    .select(['id', 'merchant_id as merchantId', 'name', 'url', 'platform'])
    .where('deleted_at', 'is', null)
    .$if(scope !== 'all', (select) =>
      select.where('merchant_id', '=', scope === 'all' ? '' : scope.merchantId),
    )
    .$if(query.merchantId !== undefined, (select) => select.where('merchant_id', '=', query.merchantId ?? ''))
    .$if(query.cursor !== undefined, (select) => select.where('id', '>', query.cursor ?? ''))
    .orderBy('id')
    .limit(query.limit + 1)
    .execute();
  const stores = rows.slice(0, query.limit);
  const last = stores.at(-1);
  return { stores, ...(rows.length > stores.length && last !== undefined ? { nextCursor: last.id } : {}) };
}
