import { type CatalogueRow, readCatalogue } from '@touchstone/catalogue';
import type { RowResult } from '@touchstone/contract';
import { sql } from 'kysely';
import { deleteProduct } from '../registry/products/change-product.ts';
import { upsertProducts } from '../registry/products/upsert.ts';
import type { AdminClient } from './admin-client.ts';
import type { ConnectionRow } from './connection-store.ts';
import type { ShopifyContext } from './context.ts';
import type { ProductNode } from './queries.ts';

export interface Reading {
  readonly context: ShopifyContext;
  readonly client: AdminClient;
  readonly connection: ConnectionRow;
  readonly signal: AbortSignal;
  /** Throws if this node no longer holds the job. */
  readonly progressed: () => Promise<void>;
}

/** Upserts the products, and records which of them the registry rejected, and why. */
export async function registerProducts(
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

/** The product in the form of the storefront's `/products.json`, for the reader of that format. */
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

/** Deletes a product that the shop no longer has; its metafield was deleted with it. */
export async function removeProduct({ context, connection }: Reading, shopifyId: string): Promise<void> {
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
