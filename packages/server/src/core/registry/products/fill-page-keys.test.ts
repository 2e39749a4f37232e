import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../testing.ts';
import { patchProduct } from './change-product.ts';
import { fillPageKeys } from './fill-page-keys.ts';
import { storedPageKey } from './page-key.ts';

let registry: TestRegistry;
let shop: TestShop;
beforeAll(async () => {
  registry = await testRegistry();
  shop = await testShop(registry, 'shop.example', 2_000);
});
afterAll(() => registry.close());

const query = (sql: string, values: unknown[] = []) => registry.database.query(sql, values);
const addresses = () => query('select url, page_key from products order by created_order');

it('is computed for every product, and for every new URL', async () => {
  await shop.put(shop.row('cup'), shop.row('pot'));
  await shop.put(shop.row('pot', { url: 'https://shop.example/teapot?a=1' }));
  const [cup] = await query(`select id from products where external_product_id = 'cup'`);
  await patchProduct(registry, 'all', String(cup?.id), { url: 'https://shop.example/mug' });
  const rows = await addresses();
  expect(rows.map(({ url }) => url)).toEqual(['https://shop.example/mug', 'https://shop.example/teapot?a=1']);
  for (const { url, page_key: key } of rows) expect(key).toBe(storedPageKey(String(url)));
});

it('is cleared if an earlier release writes another URL', async () => {
  await query(
    `update products set url = 'https://shop.example/jug', name = 'Jug' where external_product_id = 'cup'`,
  );
  expect((await addresses())[0]).toMatchObject({ page_key: null });
});

it('is filled in wherever it is missing, by several nodes concurrently, without announcing a change', async () => {
  await shop.put(...Array.from({ length: 1_200 }, (_, i) => shop.row(`cup-${i}`)));
  await query('update products set page_key = null');
  await query('delete from certificate_due');
  const orders = () => query('select sum(orders)::int as orders from jobs');
  const before = await orders();
  const filled = await Promise.all([fillPageKeys(registry.db), fillPageKeys(registry.db)]);
  expect(filled[0] + filled[1]).toBe(1_202);
  for (const { url, page_key: key } of await addresses()) expect(key).toBe(storedPageKey(String(url)));
  expect(await query('select from certificate_due')).toEqual([]);
  expect(await orders()).toEqual(before);
  expect(await fillPageKeys(registry.db)).toBe(0);
});
