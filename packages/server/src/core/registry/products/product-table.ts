import { hostOf } from '@touchstone/certificate/binding';
import { type RawBuilder, sql } from 'kysely';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { changedBy, changedColumns } from '../changed-products.ts';
import type { ChangedImage, ChangedProduct } from '../events.ts';
import type { ImageStep, PresentProduct, Step } from './plan-upsert.ts';

/** Products of a store by their external ids. */
export async function readPresent(
  trx: DatabaseTransaction,
  store: { readonly id: string; readonly merchantId: string },
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, PresentProduct>> {
  if (externalIds.length === 0) return new Map();
  const { rows } = await sql<PresentProduct>`
    select p.id, p.external_product_id as "externalProductId", p.name, p.url, p.sku, p.gtin, p.brand,
      p.attributes, p.price, p.availability, p.visible, p.kept_hidden_since is not null as "keptHidden", p.host_known as "hostKnown", p.deleted_at is not null as deleted,
      product_standing(p.deleted_at, p.disabled, p.visible, p.host_known, p.slot_order) as standing,
      (select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'url', i.url, 'externalId', i.external_id,
              'position', i.position, 'removed', i.removed_at is not null) order by i.position, i.id), '[]')
         from images i where i.merchant_id = ${store.merchantId} and i.product_id = p.id) as images
    from unnest(${externalIds}::text[]) as wanted (external_id) cross join lateral (
      -- looked up by key for each: without statistics of the table all products of the store would be read
      select * from products where merchant_id = ${store.merchantId} and store_id = ${store.id}
        and external_product_id = wanted.external_id offset 0) p`.execute(trx);
  return new Map(rows.map((row) => [row.externalProductId, row]));
}

/**
 * Writes the steps of one batch, a statement per kind, under the merchant's lock.
 *
 * @param seats - reserved for the created products: the first visible ones get them
 */
export async function writePlan(
  trx: DatabaseTransaction,
  store: { readonly id: string; readonly merchantId: string },
  plan: readonly Step[],
  { seats, now }: { readonly seats: number; readonly now: Date },
): Promise<{ readonly products: readonly ChangedProduct[]; readonly images: readonly ChangedImage[] }> {
  const created = plan.filter((step) => step.status === 'created');
  const inserted = await insertProducts(trx, store, created, { seats, now });
  const updated = await updateProducts(
    trx,
    store.merchantId,
    plan.filter((step) => step.status === 'updated' || step.status === 'revived'),
    now,
  );
  const images = plan.flatMap((step) => step.images.map((image) => ({ ...image, product_id: step.id })));
  return {
    products: [...inserted, ...updated],
    images: await writeImages(trx, store.merchantId, images, now),
  };
}

const COLUMNS = sql`id uuid, external_product_id text, name text, url text, host text, page_key bigint, sku text, gtin text,
  brand text, attributes jsonb, price jsonb, availability text, visible boolean, renamed boolean`;

const asJson = (steps: readonly Step[]) =>
  JSON.stringify(steps.map((step) => ({ id: step.id, renamed: step.isRenamed, ...step.product })));

async function insertProducts(
  trx: DatabaseTransaction,
  store: { readonly id: string; readonly merchantId: string },
  steps: readonly Step[],
  { seats, now }: { readonly seats: number; readonly now: Date },
): Promise<readonly ChangedProduct[]> {
  if (steps.length === 0) return [];
  await sql`
    insert into directory (id, merchant_id)
    select id, ${store.merchantId} from unnest(${steps.map(({ id }) => id)}::uuid[]) id`.execute(trx);
  // with ordinality: the order of creation, and of seats, is the order of the rows
  await sql`
    with counted as (
      insert into product_counts (merchant_id, store_id, products) values (${store.merchantId}, ${store.id}, ${steps.length})
      on conflict (merchant_id, store_id) do update set products = product_counts.products + excluded.products)
    insert into products as p (id, store_id, merchant_id, external_product_id, name, url, host, page_key, sku, gtin,
      brand, attributes, price, priced_at, availability, visible, created_order, slot_order, created_at, updated_at)
    select row.id, ${store.id}, ${store.merchantId}, row.external_product_id, row.name, row.url, row.host,
      row.page_key, row.sku, row.gtin, row.brand, row.attributes, row.price,
      case when row.price is not null then ${now}::timestamptz end, row.availability, row.visible, nextval('product_creation_order'),
      case when row.visible and row.nth_visible <= ${seats} then nextval('slot_order') end, ${now}, ${now}
    from (
      select row.*, count(*) filter (where visible) over (order by nth) as nth_visible from rows from (jsonb_to_recordset(${asJson(steps)}::jsonb) as (${COLUMNS})) with ordinality
        as row (id, external_product_id, name, url, host, page_key, sku, gtin, brand, attributes, price, availability, visible, renamed, nth)
      order by nth
    ) as row`.execute(trx);
  let left = seats;
  return steps.map(({ id, product: { visible } }) => {
    const is = !visible ? 'hidden' : left-- > 0 ? 'active' : 'no_slot';
    return { id, storeId: store.id, was: null, is, isRenamed: false };
  });
}

/** Of a statement that updates `products p`: when the price was first sent that it has afterwards. */
export const pricedAt = (price: RawBuilder<unknown>, now: Date): RawBuilder<Date | null> => sql`
  case when ${price} is null then null when p.price = ${price} then p.priced_at else ${now}::timestamptz end`;

async function updateProducts(
  trx: DatabaseTransaction,
  merchantId: string,
  steps: readonly Step[],
  now: Date,
): Promise<readonly ChangedProduct[]> {
  if (steps.length === 0) return [];
  return changedBy(
    trx,
    sql`
    update products p set name = row.name, url = row.url, host = row.host, page_key = row.page_key, sku = row.sku, gtin = row.gtin,
      brand = row.brand, attributes = row.attributes, price = row.price, priced_at = ${pricedAt(sql`row.price`, now)},
      availability = row.availability, visible = row.visible, host_known = true,
      deleted_at = null, updated_at = ${now}
    from jsonb_to_recordset(${asJson(steps)}::jsonb) as row(${COLUMNS})
    where p.merchant_id = ${merchantId} and p.id = row.id returning ${changedColumns(sql`row.renamed`)}`,
  );
}

/**
 * For `returning`, of a statement that adds or removes `images i`: each of its rows as a `ChangedImage`. A query there finds the row
 * as it was before, as in `CHANGED`.
 */
export const CHANGED_IMAGE = sql`i.id, i.product_id as "productId", i.host,
  (select former.removed_at is not null from images former
    where former.merchant_id = i.merchant_id and former.id = i.id) as "wasRemoved",
  i.removed_at is not null as "isRemoved"`;

/** Inserts or updates images, which are identified by product and address, under the merchant's lock; returns them. */
export async function writeImages(
  trx: DatabaseTransaction,
  merchantId: string,
  images: readonly (ImageStep & { readonly product_id: string })[],
  now: Date,
): Promise<readonly ChangedImage[]> {
  if (images.length === 0) return [];
  const rows = images.map((image) => ({ ...image, host: hostOf(image.url) ?? '' }));
  await sql`
    insert into images as i (merchant_id, id, product_id, url, host, external_id, position, removed_at, created_at)
    select ${merchantId}, row.id, row.product_id, row.url, row.host, row.external_id, row.position,
      case when row.removed then ${now}::timestamptz end, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row(id uuid, product_id uuid, url text, host text, external_id text, position integer, removed boolean)
    on conflict (merchant_id, product_id, url) do update
      set external_id = excluded.external_id, position = excluded.position, removed_at = excluded.removed_at`.execute(
    trx,
  );
  return rows.map(({ id, product_id: productId, host, wasRemoved, removed: isRemoved }) => ({
    id,
    productId,
    host,
    wasRemoved,
    isRemoved,
  }));
}
