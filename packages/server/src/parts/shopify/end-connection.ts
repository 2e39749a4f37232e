import { sql } from 'kysely';
import type { CoreListener } from '../../core/registry/events.ts';
import type { Database } from '../../platform/database/database.ts';

/** Deletes the secrets of a store that is deleted, and allows its shop to be connected to another store. */
export const connectionEnds: CoreListener = {
  async storeDeleted(trx, { merchantId, storeId }) {
    await trx.deleteFrom('shopify_shops').where('store_id', '=', storeId).execute();
    await trx
      .deleteFrom('shopify_connections')
      .where('merchant_id', '=', merchantId)
      .where('store_id', '=', storeId)
      .execute();
  },
};

/** The same for stores that were deleted while the service ran without this part. */
export async function purgeConnections(db: Database): Promise<void> {
  await sql`
    with gone as (
      delete from shopify_connections c using stores s
      where s.merchant_id = c.merchant_id and s.id = c.store_id and s.deleted_at is not null returning c.store_id)
    delete from shopify_shops where store_id in (select store_id from gone)`.execute(db);
}
