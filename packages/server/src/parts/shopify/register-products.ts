import type { RowResult } from '@touchstone/contract';
import { sql } from 'kysely';
import { deleteProduct } from '../../core/registry/products/change-product.ts';
import { upsertChecked } from '../../core/registry/products/upsert.ts';
import type { AdminClient } from './admin-client.ts';
import type { ConnectionRow } from './connection-store.ts';
import type { ShopifyContext } from './context.ts';
import type { ListedProduct } from './listed-rows.ts';

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
  products: readonly ListedProduct[],
  seen: Date,
): Promise<void> {
  if (products.length === 0) return;
  const { registry } = context;
  const { store_id: storeId, merchant_id: merchantId } = connection;
  const failures = new Map(
    products.flatMap(({ id, failure }) => (failure === undefined ? [] : [[id, failure]])),
  );
  const rows = products.flatMap(({ checked }) => checked ?? []);
  for (const result of await upsertChecked(registry, { merchantId }, storeId, rows, {
    isScheduled: true,
  }))
    if (result.status === 'error') failures.set(result.externalProductId ?? '', faultOf(result));
  const ids = products.map(({ id }) => id);
  const at = registry.clock().toISOString();
  const failure = (id: string) => {
    const detail = failures.get(id);
    return detail === undefined ? null : JSON.stringify({ code: 'shopify_row_refused', detail, since: at });
  };
  await sql`
    insert into shopify_products (merchant_id, store_id, shopify_id, seen_at, failure)
    select ${merchantId}, ${storeId}, id, ${seen}, failure from unnest(${ids}::bigint[], ${ids.map(failure)}::jsonb[]) as met (id, failure)
    on conflict (merchant_id, store_id, shopify_id) do update set seen_at = greatest(shopify_products.seen_at, excluded.seen_at),
      failure = coalesce(excluded.failure,
        case when shopify_products.failure ->> 'code' <> 'shopify_row_refused' then shopify_products.failure end)`.execute(
    registry.db,
  );
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
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', storeId)
    .where('external_product_id', '=', shopifyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (product !== undefined) await deleteProduct(registry, { merchantId }, product.id);
  await registry.db
    .deleteFrom('shopify_products')
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', storeId)
    .where('shopify_id', '=', shopifyId)
    .execute();
}
