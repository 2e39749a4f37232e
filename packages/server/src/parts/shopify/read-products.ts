import { sql } from 'kysely';
import { listedRows } from './listed-rows.ts';
import { ShopifyProblem } from './problem.ts';
import { PRODUCTS, type ProductsAnswer } from './queries.ts';
import { readInBulk } from './read-in-bulk.ts';
import {
  beginReading,
  NO_READING,
  type ReadingEnd,
  type ReadingState,
  readingOf,
  recordReading,
} from './reading-store.ts';
import { type Reading, registerProducts, removeProduct } from './register-products.ts';

/** Products requested in one query, initially and at least: a query may cost 1,000 points. */
const PAGE_SIZE = { initial: 50, min: 1 };
/** Products deleted from the registry at a time. */
const BATCH = 100;

/**
 * Reads all products of a shop and brings the registry in line with them: page by page, or for large shops by a bulk operation.
 * It resumes an interrupted reading. Products that the shop no longer has are deleted at the end.
 *
 * @returns false if there is more to read later: the bulk operation is still running, or another reading was ordered
 */
export async function readAllProducts(reading: Reading): Promise<boolean> {
  let state = readingOf(reading.connection) ?? (await beginReading(reading));
  for (;;) {
    const end = await (state.way === 'bulk' ? readInBulk : readByPages)(reading, state);
    if (end === 'later') return false;
    if (end === 'all') break;
    state = end;
  }
  await deleteUnseen(reading, state.since);
  return recordReading(reading, state, { ...NO_READING, read_at: state.since });
}

async function readByPages(reading: Reading, state: ReadingState): Promise<ReadingEnd> {
  let { after } = state;
  let size = PAGE_SIZE.initial;
  for (;;) {
    reading.signal.throwIfAborted();
    const { products, accepted } = await readPage(reading, size, after);
    size = accepted;
    await registerProducts(
      reading,
      await listedRows(products.nodes, reading.connection.storefront),
      state.since,
    );
    after = products.pageInfo.endCursor;
    await reading.progressed();
    const products_read = sql<number>`products_read + ${products.nodes.length}`;
    if (!(await recordReading(reading, state, { reading_from: after, products_read }))) return 'later';
    if (!products.pageInfo.hasNextPage) return 'all';
  }
}

/** A page, halved until the shop accepts the cost of the query. */
async function readPage({ client, signal }: Reading, size: number, after: string | null) {
  for (let first = size; ; first = Math.max(PAGE_SIZE.min, Math.floor(first / 2))) {
    try {
      const { products } = await client.query<ProductsAnswer>(PRODUCTS, { first, after }, signal);
      return { products, accepted: first };
    } catch (error) {
      const isTooLarge = error instanceof ShopifyProblem && error.code === 'shopify_query_too_large';
      if (!isTooLarge || first === PAGE_SIZE.min) throw error;
    }
  }
}

async function deleteUnseen(reading: Reading, since: Date): Promise<void> {
  const { db } = reading.context.registry;
  for (;;) {
    reading.signal.throwIfAborted();
    const unseen = await db
      .selectFrom('shopify_products')
      .select('shopify_id')
      .where('merchant_id', '=', reading.connection.merchant_id)
      .where('store_id', '=', reading.connection.store_id)
      .where((is) => is.or([is('seen_at', '<', since), is('seen_at', 'is', null)]))
      .where('due_at', 'is', null)
      .limit(BATCH)
      .execute();
    if (unseen.length === 0) return;
    for (const { shopify_id } of unseen) await removeProduct(reading, shopify_id);
    await reading.progressed();
  }
}
