import { sql } from 'kysely';
import { listedRows } from './listed-rows.ts';
import { gidOf, PRODUCTS_BY_ID, type ProductsByIdAnswer } from './queries.ts';
import { type Reading, registerProducts, removeProduct } from './register-products.ts';

/** Products read by one query. */
const BATCH = 25;

/**
 * Reads the products again that webhooks named.
 *
 * @param isReading - all products are being read, from an earlier state of the shop: a product that has been deleted since is
 *   deleted only after that, so that the reading does not add it again
 */
export async function readNamedProducts(reading: Reading, isReading: boolean): Promise<void> {
  const { context, client, connection, signal } = reading;
  const { db, clock } = context.registry;
  const { store_id: storeId, merchant_id: merchantId } = connection;
  const left: string[] = [];
  for (;;) {
    signal.throwIfAborted();
    const due = await db
      .selectFrom('shopify_products')
      .select(['shopify_id', 'due_at'])
      .where('merchant_id', '=', merchantId)
      .where('store_id', '=', storeId)
      .where('due_at', 'is not', null)
      .where(sql<boolean>`shopify_id <> all(${left}::bigint[])`)
      .orderBy('due_at')
      .limit(BATCH)
      .execute();
    if (due.length === 0) return;
    const ids = due.map(({ shopify_id }) => shopify_id);
    const { nodes } = await client.query<ProductsByIdAnswer>(PRODUCTS_BY_ID, { ids: ids.map(gidOf) }, signal);
    const present = nodes.filter((node) => node !== null);
    await registerProducts(reading, await listedRows(present, connection.storefront), clock());
    const presentIds = new Set(present.map((node) => node.legacyResourceId));
    const deleted = ids.filter((id) => !presentIds.has(id));
    if (isReading) left.push(...deleted);
    else for (const id of deleted) await removeProduct(reading, id);
    await reading.progressed();
    // a product that was named again meanwhile stays due
    await sql`
      update shopify_products p set due_at = null
      from unnest(${ids}::bigint[], ${due.map(({ due_at }) => due_at)}::timestamptz[]) as was (id, at)
      where p.merchant_id = ${merchantId} and p.store_id = ${storeId} and p.shopify_id = was.id and p.due_at = was.at
        and was.id <> all(${left}::bigint[])`.execute(db);
  }
}
