import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tables } from '../../platform/database/tables.ts';
import { createSnapshotLoader } from '../certificates/load-snapshot.ts';
import { actOnProducts } from './changes/product-actions.ts';
import type { Registry } from './context.ts';
import { addDomain, removeDomain } from './domains/domains.ts';
import { getMerchant, patchMerchant } from './merchants/merchants.ts';
import { deleteProduct, patchProduct } from './products/change-product.ts';
import { upsertProducts } from './products/upsert.ts';
import { patchStore } from './stores/stores.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from './testing.ts';
import { withdrawProduct } from './withdrawals/withdraw-product.ts';

let registry: TestRegistry;
let counted: Registry;
let shop: TestShop;
let statements = 0;
beforeAll(async () => {
  registry = await testRegistry();
  // one connection, whose statistics are those of all statements
  const { db } = registry.database.open({ max: 1, onQuery: () => statements++ });
  counted = { ...registry, db };
  shop = await testShop(registry, 'shop.example', 3);
  await shop.put(...['a', 'b', 'c', 'd'].map((id) => shop.row(id)));
});
afterAll(() => registry.close());

const put = (id: string, changes = {}) =>
  upsertProducts(counted, 'all', shop.storeId, [shop.row(id, changes)]);
const idOf = async (externalId: string) => {
  const rows = await registry.database.query<{ id: string }>(
    'select id from products where store_id = $1 and external_product_id = $2',
    [shop.storeId, externalId],
  );
  return rows[0]?.id ?? '';
};

/** Round trips, `begin` and `commit` included: whoever adds one knows what it is for. */
const MOST: Readonly<Record<string, readonly [most: number, run: () => Promise<unknown>]>> = {
  'put a product that is the same': [7, () => put('a')],
  'put a product that changed': [12, () => put('a', { name: 'Other' })],
  'put a new product with an image': [14, () => put('new')],
  'rename a product': [12, async () => patchProduct(counted, 'all', await idOf('a'), { name: 'N' })],
  'hide a product': [16, async () => patchProduct(counted, 'all', await idOf('a'), { visible: false })],
  'delete a product': [20, async () => deleteProduct(counted, 'all', await idOf('b'))],
  'withdraw the certificates of a product': [
    16,
    async () => withdrawProduct(counted, 'all', await idOf('a'), { reissue: true }),
  ],
  'get the merchant': [1, () => getMerchant(counted, 'all', shop.merchantId)],
  'pause the merchant': [9, () => patchMerchant(counted, 'all', shop.merchantId, { paused: true })],
  'rename the merchant': [5, () => patchMerchant(counted, 'all', shop.merchantId, { name: 'M' })],
  'take a seat away': [13, () => patchMerchant(counted, 'all', shop.merchantId, { planCapacity: 2 })],
  'rename the store': [13, () => patchStore(counted, 'all', shop.storeId, { name: 'S' })],
  'add a domain': [13, () => addDomain(counted, 'all', shop.storeId, { hostname: 'more.example' })],
  'remove a domain': [10, () => removeDomain(counted, 'all', shop.storeId, 'more.example')],
};

it.each(Object.entries(MOST))('To %s takes no more statements than it needs', async (_, [most, run]) => {
  statements = 0;
  await run();
  expect(statements).toBeGreaterThan(0);
  expect(statements).toBeLessThanOrEqual(most);
});

/** Rows of a table that the connection has read by now. */
async function rowsRead(db: Kysely<Tables>, table: string): Promise<number> {
  await db.selectNoFrom(({ fn }) => fn('pg_stat_force_next_flush').as('flushed')).execute();
  const [row] = await registry.database.query<{ read: number }>(
    'select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables where relname = $1',
    [table],
  );
  return row?.read ?? 0;
}

it('New images are written without reading those of the merchant, on a database without statistics too', async () => {
  const before = await rowsRead(counted.db, 'images');
  const rows = Array.from({ length: 300 }, (_, nth) => shop.row(`many-${nth}`));
  expect(await upsertProducts(counted, 'all', shop.storeId, rows)).toHaveLength(300);
  expect((await rowsRead(counted.db, 'images')) - before).toBeLessThan(1_000);
});

it('Products of concurrent requests are read by their keys, on a database without statistics too', async () => {
  const made = await registry.database.query<{ id: string }>(
    `with made as (
        insert into products (id, store_id, merchant_id, external_product_id, name, url, host)
          select gen_random_uuid(), $1, $2, 'made-' || n, 'Product ' || n, 'https://shop.example/' || n, 'shop.example'
          from generate_series(1, 20000) n returning merchant_id, id)
      insert into directory (id, merchant_id) select id, merchant_id from made returning id`,
    [shop.storeId, shop.merchantId],
  );
  const wanted = made.filter((_, nth) => nth % 320 === 0).map(({ id }) => id);
  const { product } = createSnapshotLoader(counted.db, registry.secrets.rows);
  const before = await rowsRead(counted.db, 'products');
  const found = await Promise.all(wanted.map((id) => product(id)));
  expect(found.map((one) => one?.snapshot.productId)).toEqual(wanted);
  expect((await rowsRead(counted.db, 'products')) - before).toBeLessThan(1_000);
});

it('Certificates are withdrawn without reading proofs of other products, on a database without statistics too', async () => {
  const products = await registry.database.query<{ id: string }>(
    `select id from products where external_product_id like 'many-%' order by id`,
  );
  await registry.database.query(
    `insert into proofs (merchant_id, kind, subject_id, snapshot_hash, generation, kid, header, payload, snapshot, issued_at, expires_at)
      select merchant_id, kind, subject, '', n, '', '', '', '{}', '2026-11-20', '2026-11-27' from (
        select p.merchant_id, 'product' as kind, p.id as subject from products p where p.merchant_id = $1
        union all select i.merchant_id, 'asset', i.id from images i where i.merchant_id = $1) subjects, generate_series(1, 3) n`,
    [shop.merchantId],
  );
  const before = await rowsRead(counted.db, 'proofs');
  const productIds = products.slice(0, 20).map(({ id }) => id);
  await actOnProducts(counted, 'all', shop.storeId, { action: 'withdraw', productIds });
  const [listed] = await registry.database.query<{ count: number }>(
    'select count(*)::int as count from withdrawals where change_id is not null',
  );
  expect(listed?.count).toBe(20);
  // of each its own and those of its image
  expect((await rowsRead(counted.db, 'proofs')) - before).toBeLessThanOrEqual(20 * 6);
});
