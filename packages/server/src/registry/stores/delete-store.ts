import { sql } from 'kysely';
import { inTransaction } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/http/access.ts';
import type { Registry } from '../context.ts';
import { freeHostnames } from '../domains/free-hostnames.ts';
import { lockHostnames } from '../domains/hostname-lock.ts';
import { changeProducts } from '../products/bites.ts';
import { settleSlots } from '../slots.ts';
import { findStore, lockStore } from './find-store.ts';

/**
 * Takes a store away with all its products: they are deleted, give their slots back, and answer 404. A hostname
 * that no other store of the merchant uses is free again for whoever proves it.
 */
export async function deleteStore(registry: Registry, scope: Scope, id: string): Promise<void> {
  const { merchantId } = await findStore(registry.db, scope, id);
  await inTransaction(registry.db, async (trx) => {
    const domains = await trx.selectFrom('domains').select('hostname').where('store_id', '=', id).execute();
    await lockHostnames(
      trx,
      domains.map(({ hostname }) => hostname),
    );
    const store = await lockStore(trx, merchantId, id);
    const now = registry.clock();
    const present = sql`store_id = ${id} and deleted_at is null`;
    await changeProducts(trx, sql`deleted_at = ${now}, updated_at = ${now}`, present);
    await settleSlots(trx, store.merchant, sql<boolean>`store_id = ${id}`);
    await trx.updateTable('stores').set({ deleted_at: now }).where('id', '=', id).execute();
    // those, too, that were added and proven while we waited for the merchant
    const gone = await trx.deleteFrom('domains').where('store_id', '=', id).returning('hostname').execute();
    await freeHostnames(
      trx,
      merchantId,
      gone.map(({ hostname }) => hostname),
    );
  });
  // its products were shown as others of the merchant now may be: a slot that came free goes to the next
  registry.onChange([`s:${id.toLowerCase()}`, `m:${merchantId}`]);
}
