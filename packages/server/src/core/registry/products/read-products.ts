import type { ImageView, ProductList, ProductListQuery, ProductView } from '@touchstone/contract';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../platform/database/database.ts';
import type { ProductsTable } from '../../../platform/database/tables.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { Scope } from '../../../platform/http/access.ts';
import { pageOf, type Registry } from '../context.ts';
import { findStore, merchantIn } from '../find-store.ts';
import { productState } from '../product-state.ts';
import { findProducts } from './find-products.ts';

/** A product in any state, even deleted; throws `product_unknown`, also for one out of scope. */
export async function getProduct(
  registry: Pick<Registry, 'db'>,
  scope: Scope,
  id: string,
): Promise<ProductView> {
  const [row] = await select(registry.db, sql`p.merchant_id = ${merchantIn(scope, id)} and p.id = ${id}`, 1);
  if (row === undefined) throw productUnknown();
  return toView(row);
}

/** With a sentence on products; that of the code is about certificates. */
export function productUnknown(): ServiceError {
  return new ServiceError('product_unknown', { message: 'No such product.' });
}

/** Products of a store that match the query (`findProducts`). A cursor stays valid while products are added and deleted. */
export async function listProducts(
  registry: Registry,
  scope: Scope,
  storeId: string,
  { limit, ...filters }: ProductListQuery,
): Promise<ProductList> {
  const store = await findStore(registry.db, scope, storeId);
  const found = await findProducts(registry.db, store, filters, limit + 1);
  const { page, next } = pageOf(found, limit, ({ cursor }) => cursor);
  const ids = page.map(({ id }) => id);
  const rows = await select(
    registry.db,
    sql`p.merchant_id = ${store.merchantId} and p.id = any(${ids}::uuid[])`,
    limit,
  );
  const views = new Map(rows.map((row) => [row.id, toView(row)]));
  return { products: ids.flatMap((id) => views.get(id) ?? []), ...next };
}

/** Columns of the product, its merchant and its images. */
interface Row extends Selectable<ProductsTable> {
  paused: boolean;
  images: ImageView[];
}

async function select(
  db: Database | DatabaseTransaction,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.*, m.paused,
      -- a deleted store, or a host that it lost, says it before the product's own row does
      coalesce(p.deleted_at, s.deleted_at) as deleted_at,
      p.host_known and exists (select from domains d
        where d.merchant_id = p.merchant_id and d.store_id = p.store_id and d.hostname = p.host and d.lost_at is null) as host_known,
      (select coalesce(json_agg(json_strip_nulls(json_build_object('id', i.id, 'url', i.url,
              'externalId', i.external_id, 'encodingFormat', i.media_type, 'width', i.width, 'height', i.height))
              order by i.position, i.id), '[]')
         from images i where i.merchant_id = p.merchant_id and i.product_id = p.id and i.removed_at is null) as images
    from products p join merchants m on m.id = p.merchant_id 
      join stores s on s.merchant_id = p.merchant_id and s.id = p.store_id
    where ${where} order by p.created_order limit ${limit}`.execute(db);
  return rows;
}

function toView(row: Row): ProductView {
  return {
    id: row.id,
    storeId: row.store_id,
    externalProductId: row.external_product_id,
    name: row.name,
    url: row.url,
    ...(row.sku === null ? {} : { sku: row.sku }),
    ...(row.gtin === null ? {} : { gtin: row.gtin }),
    ...(row.brand === null ? {} : { brand: row.brand }),
    attributes: row.attributes,
    ...(row.price === null ? {} : { price: row.price }),
    ...(row.priced_at === null ? {} : { pricedAt: row.priced_at.toISOString() }),
    ...(row.availability === null ? {} : { availability: row.availability }),
    visible: row.visible,
    disabled: row.disabled,
    state: productState(row),
    images: row.images,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(row.withdrawn_at === null ? {} : { withdrawnAt: row.withdrawn_at.toISOString() }),
  };
}
