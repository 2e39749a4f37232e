import { sql } from 'kysely';
import { gidOf, PRODUCTS_BY_ID, type ProductsByIdAnswer } from './queries.ts';
import { type Reading, registerProducts, removeProduct } from './register-products.ts';

/** Products that were named, read at a time. */
const NAMED = 25;

/**
 * Reads the products again that webhooks named.
 *
 * @param isReading - all products are being read, from what the shop was some time ago: one that is not there any more is left
 *   to be deleted behind that, lest it comes back
 */
export async function readNamedProducts(reading: Reading, isReading: boolean): Promise<void> {
  const { context, client, connection, signal } = reading;
  const { db, clock } = context.registry;
  const storeId = connection.store_id;
  const left: string[] = [];
  for (;;) {
    signal.throwIfAborted();
    const due = await db
      .selectFrom('shopify_products')
      .select(['shopify_id', 'due_at'])
      .where('store_id', '=', storeId)
      .where('due_at', 'is not', null)
      .where(sql<boolean>`shopify_id <> all(${left}::bigint[])`)
      .orderBy('due_at')
      .limit(NAMED)
      .execute();
    if (due.length === 0) return;
    const ids = due.map(({ shopify_id }) => shopify_id);
    const { nodes } = await client.query<ProductsByIdAnswer>(PRODUCTS_BY_ID, { ids: ids.map(gidOf) }, signal);
    await registerProducts(
      reading,
      nodes.filter((node) => node !== null),
      clock(),
    );
    const there = new Set(nodes.map((node) => node?.legacyResourceId));
    const gone = ids.filter((id) => !there.has(id));
    if (isReading) left.push(...gone);
    else for (const id of gone) await removeProduct(reading, id);
    await reading.progressed();
    // what was named once more meanwhile stays due
    await sql`
      update shopify_products p set due_at = null
      from unnest(${ids}::bigint[], ${due.map(({ due_at }) => due_at)}::timestamptz[]) as was (id, at)
      where p.store_id = ${storeId} and p.shopify_id = was.id and p.due_at = was.at
        and was.id <> all(${left}::bigint[])`.execute(db);
  }
}
