import { sql } from 'kysely';
import { ShopifyProblem } from './problem.ts';
import { PRODUCTS, type ProductsAnswer } from './queries.ts';
import { readInBulk } from './read-in-bulk.ts';
import {
  beginReading,
  NO_READING,
  noteReading,
  type ReadingEnd,
  type ReadingState,
  readingOf,
} from './reading-store.ts';
import { type Reading, registerProducts, removeProduct } from './register-products.ts';

/** Products asked for in one query, at first and at the least: a query may cost 1,000 points. */
const PAGE = { first: 50, least: 1 };
/** Products that are taken out of the registry at a time. */
const GONE = 100;

/**
 * Reads all products of a shop and brings the registry in line with them, by pages, or large shops by a bulk operation; goes on
 * where an earlier reading was ended. What is at the shop no more is deleted at the end.
 *
 * @returns false where there is more to be read later: the shop is still collecting, or another reading was ordered
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
  return noteReading(reading, state, { ...NO_READING, read_at: state.since });
}

async function readByPages(reading: Reading, state: ReadingState): Promise<ReadingEnd> {
  let { after } = state;
  let size = PAGE.first;
  for (;;) {
    reading.signal.throwIfAborted();
    const { products, sized } = await readPage(reading, size, after);
    size = sized;
    await registerProducts(reading, products.nodes, state.since);
    after = products.pageInfo.endCursor;
    await reading.progressed();
    const products_read = sql<number>`products_read + ${products.nodes.length}`;
    if (!(await noteReading(reading, state, { reading_from: after, products_read }))) return 'later';
    if (!products.pageInfo.hasNextPage) return 'all';
  }
}

/** A page as large as the shop allows a query to be. */
async function readPage({ client, signal }: Reading, size: number, after: string | null) {
  for (let first = size; ; first = Math.max(PAGE.least, Math.floor(first / 2))) {
    try {
      const { products } = await client.query<ProductsAnswer>(PRODUCTS, { first, after }, signal);
      return { products, sized: first };
    } catch (error) {
      const isTooLarge = error instanceof ShopifyProblem && error.code === 'shopify_query_too_large';
      if (!isTooLarge || first === PAGE.least) throw error;
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
      .where('store_id', '=', reading.connection.store_id)
      .where((is) => is.or([is('seen_at', '<', since), is('seen_at', 'is', null)]))
      .where('due_at', 'is', null)
      .limit(GONE)
      .execute();
    if (unseen.length === 0) return;
    for (const { shopify_id } of unseen) await removeProduct(reading, shopify_id);
    await reading.progressed();
  }
}
