import { type CatalogueRow, readCatalogue } from '@touchstone/catalogue';
import type { RowResult } from '@touchstone/contract';
import { sql } from 'kysely';
import { deleteProduct } from '../registry/products/change-product.ts';
import { upsertProducts } from '../registry/products/upsert.ts';
import type { AdminClient } from './admin-client.ts';
import type { ConnectionRow } from './connection-store.ts';
import type { ShopifyContext } from './context.ts';
import { ShopifyProblem } from './problem.ts';
import {
  gidOf,
  PRODUCTS,
  PRODUCTS_BY_ID,
  type ProductNode,
  type ProductsAnswer,
  type ProductsByIdAnswer,
} from './queries.ts';

/** Products asked for in one query, at first and at the least: a query may cost 1,000 points. */
const PAGE = { first: 50, least: 1 };
/** Products that webhooks named, read at a time. */
const NAMED = 25;
/** Products that are taken out of the registry at a time. */
const GONE = 100;

interface Reading {
  readonly context: ShopifyContext;
  readonly client: AdminClient;
  readonly connection: ConnectionRow;
  readonly signal: AbortSignal;
  /** The job is still this node's; throws otherwise. */
  readonly progressed: () => Promise<void>;
}

/**
 * Reads all products of a shop and brings the registry in line with them, page by page; goes on where an earlier reading was
 * ended. What is at the shop no more is deleted at the end.
 */
export async function readAllProducts(reading: Reading): Promise<void> {
  const { context, connection, signal } = reading;
  const { db, clock } = context.registry;
  const storeId = connection.store_id;
  const since = connection.reading_since ?? clock();
  let after = connection.reading_since === null ? null : connection.reading_from;
  if (connection.reading_since === null)
    await db
      .updateTable('shopify_connections')
      .set({ reading_since: since, reading_from: null, products_read: 0 })
      .where('store_id', '=', storeId)
      .execute();
  let size = PAGE.first;
  for (;;) {
    signal.throwIfAborted();
    const { products, sized } = await readPage(reading, size, after);
    size = sized;
    await register(reading, products.nodes, since);
    after = products.pageInfo.endCursor;
    await reading.progressed();
    const { numUpdatedRows } = await db
      .updateTable('shopify_connections')
      .set({ reading_from: after, products_read: sql<number>`products_read + ${products.nodes.length}` })
      .where('store_id', '=', storeId)
      .where('reading_since', '=', since)
      .executeTakeFirst();
    // another reading was ordered, which begins with the first product
    if (numUpdatedRows === 0n) return;
    if (!products.pageInfo.hasNextPage) break;
  }
  await deleteUnseen(reading, since);
  await db
    .updateTable('shopify_connections')
    .set({ reading_since: null, reading_from: null, read_at: since })
    .where('store_id', '=', storeId)
    .where('reading_since', '=', since)
    .execute();
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

/** Reads the products again that webhooks named; one that is not there any more is deleted. */
export async function readNamedProducts(reading: Reading): Promise<void> {
  const { context, client, connection, signal } = reading;
  const { db, clock } = context.registry;
  const storeId = connection.store_id;
  for (;;) {
    signal.throwIfAborted();
    const due = await db
      .selectFrom('shopify_products')
      .select(['shopify_id', 'due_at'])
      .where('store_id', '=', storeId)
      .where('due_at', 'is not', null)
      .orderBy('due_at')
      .limit(NAMED)
      .execute();
    if (due.length === 0) return;
    const ids = due.map(({ shopify_id }) => shopify_id);
    const { nodes } = await client.query<ProductsByIdAnswer>(PRODUCTS_BY_ID, { ids: ids.map(gidOf) }, signal);
    await register(
      reading,
      nodes.filter((node) => node !== null),
      clock(),
    );
    const there = new Set(nodes.map((node) => node?.legacyResourceId));
    for (const id of ids) if (!there.has(id)) await remove(reading, id);
    await reading.progressed();
    // what was named once more meanwhile stays due
    await sql`
      update shopify_products p set due_at = null
      from unnest(${ids}::bigint[], ${due.map(({ due_at }) => due_at)}::timestamptz[]) as was (id, at)
      where p.store_id = ${storeId} and p.shopify_id = was.id and p.due_at = was.at`.execute(db);
  }
}

/** Upserts the products, and keeps what the registry says of each. */
async function register(
  { context, connection }: Reading,
  nodes: readonly ProductNode[],
  seen: Date,
): Promise<void> {
  if (nodes.length === 0) return;
  const { registry } = context;
  const { store_id: storeId, merchant_id: merchantId } = connection;
  const rows: unknown[] = [];
  const failures = new Map<string, string>();
  const catalogue = JSON.stringify({ products: nodes.map(asListed) });
  const options = { storeUrl: connection.storefront, shape: 'shopify-json' } as const;
  for await (const row of readCatalogue(catalogue, options)) keep(row, rows, failures);
  for (const result of await upsertProducts(registry, { merchantId }, storeId, rows))
    if (result.status === 'error') failures.set(result.externalProductId ?? '', faultOf(result));
  const ids = nodes.map(({ legacyResourceId }) => legacyResourceId);
  const at = registry.clock().toISOString();
  const failure = (id: string) => {
    const detail = failures.get(id);
    return detail === undefined ? null : JSON.stringify({ code: 'shopify_row_refused', detail, since: at });
  };
  await sql`
    insert into shopify_products (store_id, shopify_id, seen_at, failure)
    select ${storeId}, id, ${seen}, failure from unnest(${ids}::bigint[], ${ids.map(failure)}::jsonb[]) as met (id, failure)
    on conflict (store_id, shopify_id) do update set seen_at = greatest(shopify_products.seen_at, excluded.seen_at),
      failure = coalesce(excluded.failure,
        case when shopify_products.failure ->> 'code' <> 'shopify_row_refused' then shopify_products.failure end)`.execute(
    registry.db,
  );
}

/** The product as the shop front's `/products.json` would list it, for the one reader of that form. */
function asListed(node: ProductNode) {
  return {
    id: node.legacyResourceId,
    handle: node.handle,
    title: node.title,
    vendor: node.vendor,
    product_type: node.productType,
    status: node.status,
    published_at: node.onlineStoreUrl,
    images: node.media.nodes.flatMap(({ id, image }) =>
      image == null ? [] : [{ id: id.slice(id.lastIndexOf('/') + 1), src: image.url }],
    ),
    variants: node.variants.nodes,
  };
}

function keep(row: CatalogueRow, rows: unknown[], failures: Map<string, string>): void {
  if ('product' in row) rows.push(row.product);
  else if (row.problem.externalProductId !== undefined)
    failures.set(row.problem.externalProductId, row.problem.reason);
}

function faultOf({ errors = [] }: RowResult): string {
  return errors
    .map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
    .join(' ')
    .slice(0, 500);
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
    for (const { shopify_id } of unseen) await remove(reading, shopify_id);
    await reading.progressed();
  }
}

/** Deletes what is at the shop no more; its metafield went with it. */
async function remove({ context, connection }: Reading, shopifyId: string): Promise<void> {
  const { registry } = context;
  const { store_id: storeId, merchant_id: merchantId } = connection;
  const product = await registry.db
    .selectFrom('products')
    .select('id')
    .where('store_id', '=', storeId)
    .where('external_product_id', '=', shopifyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (product !== undefined) await deleteProduct(registry, { merchantId }, product.id);
  await registry.db
    .deleteFrom('shopify_products')
    .where('store_id', '=', storeId)
    .where('shopify_id', '=', shopifyId)
    .execute();
}
