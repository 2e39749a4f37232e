import type { ImageView, ProductState, ProductView } from '@touchstone/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import { inScope, type Scope } from '../../platform/http/access.ts';
import { pageOf, type Registry } from '../context.ts';
import { productState } from '../product-state.ts';
import { findStore } from '../stores/find-store.ts';

/** A product of any state, deleted ones too; throws `product_unknown` for one out of scope. */
export async function getProduct(registry: Registry, scope: Scope, id: string): Promise<ProductView> {
  const [row] = await select(registry.db, sql`p.id = ${id}`, 1);
  if (row === undefined || !inScope(scope, row.merchant_id)) throw productUnknown();
  return toView(row);
}

/** The sentence of the code speaks of certificates; here a product is missing. */
export function productUnknown(): ServiceError {
  return new ServiceError('product_unknown', { message: 'No such product.' });
}

/** Products of a store in the order of creation. A cursor stays good whatever comes and goes. */
export async function listProducts(
  registry: Registry,
  scope: Scope,
  storeId: string,
  query: { state?: ProductState | undefined; cursor?: string | undefined; limit: number },
): Promise<{ products: ProductView[]; nextCursor?: string }> {
  const store = await findStore(registry.db, scope, storeId);
  const after = query.cursor === undefined ? '0' : readCursor(query.cursor);
  const rows = await select(
    registry.db,
    sql`p.store_id = ${store.id} and p.created_order > ${after} and ${IN_STATE[query.state ?? 'present']}`,
    query.limit + 1,
  );
  const { page, next } = pageOf(rows, query.limit, (row) => makeCursor(row.created_order));
  return { products: page.map(toView), ...next };
}

const served = sql`p.deleted_at is null and not p.disabled`;
const eligible = sql`${served} and p.visible and p.host_known`;

/** The same order of reasons as `publicState`. */
const IN_STATE: Readonly<Record<ProductState | 'present', RawBuilder<unknown>>> = {
  present: sql`p.deleted_at is null`,
  deleted: sql`p.deleted_at is not null`,
  disabled: sql`p.deleted_at is null and p.disabled`,
  hidden: sql`${served} and not p.visible`,
  host_lost: sql`${served} and p.visible and not p.host_known`,
  paused: sql`${eligible} and m.paused`,
  no_slot: sql`${eligible} and not m.paused and p.slot_order is null`,
  active: sql`${eligible} and not m.paused and p.slot_order is not null`,
};

interface Row {
  id: string;
  store_id: string;
  merchant_id: string;
  external_product_id: string;
  name: string;
  url: string;
  sku: string | null;
  gtin: string | null;
  brand: string | null;
  attributes: { name: string; value: string }[];
  visible: boolean;
  disabled: boolean;
  deleted_at: Date | null;
  host_known: boolean;
  slot_order: string | null;
  created_order: string;
  paused: boolean;
  created_at: Date;
  updated_at: Date;
  images: ImageView[];
}

async function select(
  db: Database | DatabaseTransaction,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.*, m.paused,
      (select coalesce(json_agg(json_strip_nulls(json_build_object('id', i.id, 'url', i.url,
              'externalId', i.external_id, 'encodingFormat', i.media_type, 'width', i.width, 'height', i.height))
              order by i.position, i.id), '[]')
         from images i where i.product_id = p.id and i.removed_at is null) as images
    from products p join merchants m on m.id = p.merchant_id
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
    visible: row.visible,
    disabled: row.disabled,
    state: productState(row),
    images: row.images,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

const makeCursor = (order: string): string => Buffer.from(`v1:${order}`).toString('base64url');

function readCursor(cursor: string): string {
  const order = /^v1:(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  if (order === undefined) {
    throw new ServiceError('bad_request', { message: 'The cursor is not one that an earlier page gave.' });
  }
  return order;
}
