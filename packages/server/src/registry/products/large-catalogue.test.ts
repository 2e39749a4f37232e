import { afterAll, beforeAll, expect, it } from 'vitest';
import { patchMerchant } from '../merchants/merchants.ts';
import { deleteStore, patchStore } from '../stores/stores.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../testing.ts';
import { BATCH } from './product-batches.ts';

// what a statement may take in time must not bound how large a catalogue can be
const COUNT = BATCH + 100;

let registry: TestRegistry;
let shop: TestShop;
beforeAll(async () => {
  registry = await testRegistry();
  shop = await testShop(registry, 'large.example', 0);
  await registry.database.query(
    `insert into products (id, store_id, merchant_id, external_product_id, name, url, host)
     select gen_random_uuid(), $1, $2, i, 'P', 'https://large.example/' || i, 'large.example'
     from generate_series(1, $3::int) i`,
    [shop.storeId, shop.merchantId, COUNT],
  );
  await registry.database.query(
    `insert into images (id, product_id, url, position) select gen_random_uuid(), id, url || '.jpg', 0 from products`,
    [],
  );
  await registry.database.query(`create table batches (size integer)`, []);
  await registry.database.query(
    `create function note_batch() returns trigger language plpgsql as $$
     begin insert into batches select count(*) from changed; return null; end $$`,
    [],
  );
  for (const table of ['products', 'jobs']) {
    await registry.database.query(
      `create trigger note_batch after update on ${table} referencing new table as changed
       for each statement execute function note_batch()`,
      [],
    );
  }
}, 60_000);
afterAll(() => registry.close());

const one = async (query: string) => {
  const [row] = await registry.database.query<{ value: number }>(`select (${query})::int as value`, []);
  return row?.value;
};
const seats = () => one('select count(*) from products where slot_order is not null');
const oldest = (count: number) =>
  one(`select count(*) from (select slot_order from products order by created_order limit ${count}) p
       where slot_order is not null`);

it('changes a large catalogue in statements of bounded size, and ends as one change would', async () => {
  await patchMerchant(registry, 'all', shop.merchantId, { planCapacity: COUNT - 10 });
  expect([await seats(), await oldest(COUNT - 10)]).toEqual([COUNT - 10, COUNT - 10]);
  // the newest lose first, over all batches
  await patchMerchant(registry, 'all', shop.merchantId, { planCapacity: 50 });
  expect([await seats(), await oldest(50)]).toEqual([50, 50]);
  await patchStore(registry, 'all', shop.storeId, { signImages: true });
  expect(await one('select count(*) from jobs where orders = 2')).toBe(COUNT);
  await deleteStore(registry, 'all', shop.storeId);
  expect(await one('select count(*) from products where deleted_at is null')).toBe(0);
  expect([await seats(), await one('select slots_held from merchants')]).toEqual([0, 0]);
  expect(await one('select max(size) from batches')).toBe(BATCH);
}, 120_000);
