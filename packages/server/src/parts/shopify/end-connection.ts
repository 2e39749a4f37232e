import type { CoreListener } from '../../core/registry/events.ts';

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
