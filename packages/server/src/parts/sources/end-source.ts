import { sql } from 'kysely';
import type { CoreListener } from '../../core/registry/events.ts';
import type { Database } from '../../platform/database/database.ts';

/** Deletes the source of a store that is deleted: its address may hold a token. */
export const sourceEnds: CoreListener = {
  async storeDeleted(trx, { merchantId, storeId }) {
    await trx
      .deleteFrom('store_sources')
      .where('merchant_id', '=', merchantId)
      .where('store_id', '=', storeId)
      .execute();
  },
};

/** The same for stores that were deleted while the service ran without this part. */
export async function purgeSources(db: Database): Promise<void> {
  await sql`
    delete from store_sources c using stores s
    where s.merchant_id = c.merchant_id and s.id = c.store_id and s.deleted_at is not null`.execute(db);
}
