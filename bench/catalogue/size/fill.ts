import { sql } from 'kysely';
import type { Registry } from '../../../packages/server/src/core/registry/context.ts';
import { addDomain } from '../../../packages/server/src/core/registry/domains/domains.ts';
import { createMerchant } from '../../../packages/server/src/core/registry/merchants/merchants.ts';
import { createStore } from '../../../packages/server/src/core/registry/stores/stores.ts';

/** A merchant with one store, whose products are on its second host. */
export interface Shop {
  readonly merchantId: string;
  readonly storeId: string;
  readonly host: string;
  readonly count: number;
  /** Ids of products in the middle of the store, one for each call of an operation. */
  readonly ids: string[];
  /** `createdOrder` of a product in the middle. */
  readonly middle: string;
}

/** Rows per statement, few enough for its timeout. */
const AT_ONCE = 50_000;

/**
 * Fills a store: one image per product, every 10th signed; every 10th product each is hidden, disabled, deleted, on an unproven host or
 * without a seat.
 */
export async function fill(registry: Registry, name: string, count: number): Promise<Shop> {
  const { db } = registry;
  const host = `${name}.example`;
  const merchant = await createMerchant(registry, { name, planCapacity: 2 * count });
  const store = await createStore(registry, 'all', {
    merchantId: merchant.id,
    name,
    url: `https://${host}/`,
  });
  await addDomain(registry, 'all', store.id, { hostname: `second.${host}` });
  await sql`create or replace function bench_state(n integer) returns integer language sql immutable as
    'select case when n % 10 = 0 then n / 10 % 5 else 9 end'`.execute(db);
  for (let begun = 0; begun < count; begun += AT_ONCE) {
    await sql`
      with made as (
        insert into products (id, store_id, merchant_id, external_product_id, name, url, host, sku, visible, disabled,
          deleted_at, host_known, slot_order)
        select gen_random_uuid(), ${store.id}, ${merchant.id}, n::text, 'Product ' || n, ${`https://second.${host}/`} || n,
          ${`second.${host}`}, 'SKU-' || n, bench_state(n) <> 0, bench_state(n) = 1,
          case when bench_state(n) = 2 then now() end, bench_state(n) <> 3,
          case when bench_state(n) = 9 then nextval('slot_order') end
        from generate_series(${begun}::int, ${Math.min(begun + AT_ONCE, count) - 1}::int) n
        returning merchant_id, id, url),
      known as (insert into directory (id, merchant_id) select id, merchant_id from made)
      insert into images (merchant_id, id, product_id, url, position, host, media_type, credentials, signed_by_us, blob_key, source_uhash)
      select merchant_id, gen_random_uuid(), id, url || '.jpg', 0, ${host}, case when is_scanned then 'image/jpeg' end,
        case when is_scanned then '{"hasC2PA": true, "hasManifest": true}'::jsonb end, is_scanned,
        case when is_scanned then ${'b'.repeat(64)} end, case when is_scanned then ${'a'.repeat(64)} end
      from (select *, right(url, 1) = '7' as is_scanned from made) made`.execute(db);
  }
  await sql`
    insert into jobs (queue, subject, owner, resource, live, image_state, image_marks)
      select 'image-scans', i.id, p.store_id, i.host, p.deleted_at is null,
        image_state(i.given_up, i.media_type, i.credentials, i.blob_key, i.source_uhash),
        image_marks(i.media_type, i.credentials, i.signed_by_us, i.blob_key, i.source_uhash)
      from images i join products p on p.merchant_id = i.merchant_id and p.id = i.product_id
      where p.store_id = ${store.id}`.execute(db);
  await sql`
    insert into certificate_due (merchant_id, product_id, store_id, due_at)
      select merchant_id, id, store_id, now() from products where store_id = ${store.id}`.execute(db);
  await sql`update merchants set
    slots_held = (select count(*) from products where merchant_id = merchants.id and slot_order is not null),
    plan_capacity = (select count(*) from products where merchant_id = merchants.id and slot_order is not null)
    where id = ${merchant.id}`.execute(db);
  for (const table of ['products', 'images', 'jobs'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
  const { rows } = await sql<{ id: string; created_order: string }>`
    select id, created_order from products where store_id = ${store.id} and slot_order is not null
    order by created_order offset ${Math.floor(count / 2) - 300} limit 500`.execute(db);
  const middle = rows[0]?.created_order ?? '0';
  return { merchantId: merchant.id, storeId: store.id, host, count, ids: rows.map(({ id }) => id), middle };
}
