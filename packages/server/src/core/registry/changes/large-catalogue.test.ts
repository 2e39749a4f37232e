import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { changesOf } from '../../../platform/cache/changes.ts';
import { createSnapshotLoader } from '../../certificates/load-snapshot.ts';
import { addDomain, removeDomain } from '../domains/domains.ts';
import { getMerchant, patchMerchant } from '../merchants/merchants.ts';
import { patchProduct } from '../products/change-product.ts';
import { getProduct, listProducts } from '../products/read-products.ts';
import { deleteStore, getStore, patchStore } from '../stores/stores.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../testing.ts';
import { getChange, listChanges } from './read-changes.ts';
import { followChanges, testWorker } from './testing.ts';

/** Products of one batch, and how many a shop has: the rest of the world has thousands and a million. */
const AT_ONCE = 10;
const COUNT = 45;

let registry: TestRegistry;
let shop: TestShop;
let shops = 0;
const batches: number[] = [];

beforeAll(async () => {
  registry = { ...(await testRegistry()), productsAtOnce: AT_ONCE };
  await registry.database.query('create table batches (size integer)');
  await registry.database.query(
    `create function note_batch() returns trigger language plpgsql as $$
     begin insert into batches select count(*) from changed; return null; end $$`,
  );
  for (const table of ['products', 'jobs']) {
    await registry.database.query(
      `create trigger note_batch after update on ${table} referencing new table as changed
       for each statement execute function note_batch()`,
    );
  }
});
afterAll(() => registry?.close());
beforeEach(async () => {
  shops += 1;
  shop = await testShop(registry, `large-${shops}.example`, 0);
  await shop.put(...Array.from({ length: COUNT }, (_, nth) => shop.row(String(nth))));
  await registry.database.query('delete from batches');
  registry.changes.length = 0;
  batches.length = 0;
});

const one = async (query: string) => {
  const [row] = await registry.database.query<{ value: number }>(`select (${query})::int as value`, [
    shop.merchantId,
  ]);
  return row?.value;
};
const seats = () => one('select count(*) from products where slot_order is not null and merchant_id = $1');
const held = () => one('select slots_held from merchants where id = $1');
const oldest = (count: number) =>
  one(`select count(*) from (select slot_order from products where merchant_id = $1
       order by created_order limit ${count}) p where slot_order is not null`);
const largest = () => one('select max(size) from batches where $1::uuid is not null');
const capacity = (planCapacity: number) => patchMerchant(registry, 'all', shop.merchantId, { planCapacity });
const follow = () => followChanges(registry);
const activeIds = async () =>
  (await listProducts(registry, 'all', shop.storeId, { state: 'active', limit: 100 })).products.map(
    ({ id }) => id,
  );

it('adjusts seats to the capacity in batches, with the same result as one change', async () => {
  const { merchant, change } = await capacity(COUNT - 5);
  expect(merchant).toMatchObject({ planCapacity: COUNT - 5, slotsHeld: 0 });
  expect(merchant.pendingChanges).toMatchObject([
    { id: change, kind: 'capacity', state: 'pending', done: 0 },
  ]);
  await follow();
  expect([await seats(), await held(), await oldest(COUNT - 5)]).toEqual([COUNT - 5, COUNT - 5, COUNT - 5]);
  expect(await getChange(registry, 'all', change ?? '')).toMatchObject({
    state: 'done',
    done: 40,
    total: 40,
  });
  expect((await getMerchant(registry, 'all', shop.merchantId)).pendingChanges).toEqual([]);
  // the newest lose first, over all batches
  expect((await capacity(5)).change).not.toBeNull();
  await follow();
  expect([await seats(), await held(), await oldest(5)]).toEqual([5, 5, 5]);
  expect(await largest()).toBe(AT_ONCE);
});

it('changes a few at once', async () => {
  expect((await capacity(AT_ONCE)).change).toBeNull();
  expect([await seats(), await oldest(AT_ONCE)]).toEqual([AT_ONCE, AT_ONCE]);
  expect((await capacity(0)).change).toBeNull();
  expect(await seats()).toBe(0);
});

it('deletes a store: its products answer 404 at once, and return their seats to another store in batches', async () => {
  await capacity(20);
  await follow();
  const [first = ''] = await activeIds();
  const loader = createSnapshotLoader(registry.db, registry.secrets.rows);
  expect(await loader.product(first)).toMatchObject({ state: 'active' });
  const other = await otherStore();
  const waiting = await other.put(...Array.from({ length: 25 }, (_, nth) => other.row(String(nth))));
  expect(waiting[0]?.state).toBe('no_slot');
  await registry.database.query('delete from batches');

  const change = (await deleteStore(registry, 'all', shop.storeId)) ?? '';
  expect(await loader.product(first)).toBeNull();
  expect(await getProduct(registry, 'all', first)).toMatchObject({ state: 'deleted' });
  await expect(patchProduct(registry, 'all', first, { name: 'X' })).rejects.toMatchObject({
    code: 'product_unknown',
  });
  expect(await listChanges(registry, { merchantId: shop.merchantId }, { limit: 10 })).toMatchObject({
    changes: [{ id: change, kind: 'store_deletion', storeId: shop.storeId }],
  });
  expect(await listChanges(registry, { merchantId: randomUUID() }, { limit: 10 })).toEqual({ changes: [] });
  // other writes in the meantime neither assign nor release a seat
  await other.put(other.row('late'));
  expect(await held()).toBe(20);

  await follow();
  expect(
    await one(
      `select count(*) from products where store_id = '${shop.storeId}' and deleted_at is null and $1::uuid is not null`,
    ),
  ).toBe(0);
  expect(
    await one(
      `select count(*) from jobs where owner = '${shop.storeId}' and state <> 'idle' and $1::uuid is not null`,
    ),
  ).toBe(0);
  expect([await seats(), await held()]).toEqual([20, 20]);
  const state = async (id: string | undefined) => (await getProduct(registry, 'all', id ?? '')).state;
  expect([await state(waiting[0]?.id), await state(waiting[19]?.id), await state(waiting[20]?.id)]).toEqual([
    'active',
    'active',
    'no_slot',
  ]);
  expect(await getChange(registry, 'all', change)).toMatchObject({ state: 'done', done: COUNT });
  expect(await largest()).toBe(AT_ONCE);
});

async function otherStore(): Promise<TestShop> {
  const other = await testShop(registry, `other-of-${shop.host}`, 0, shop);
  const url = (id: string) => `https://${other.host}/${id}`;
  return { ...other, row: (id, changes = {}) => ({ ...shop.row(id), url: url(id), ...changes }) };
}

it('removes a domain: its products are inactive at once, and active again once it is back', async () => {
  await addDomain(registry, 'all', shop.storeId, { hostname: `second.${shop.host}` });
  await shop.put(
    ...Array.from({ length: COUNT }, (_, nth) =>
      shop.row(String(nth), { url: `https://second.${shop.host}/products/${nth}` }),
    ),
  );
  await capacity(100);
  await follow();
  const [first = ''] = await activeIds();
  const loader = createSnapshotLoader(registry.db, registry.secrets.rows);
  const change = await removeDomain(registry, 'all', shop.storeId, `second.${shop.host}`);
  expect(await loader.product(first)).toMatchObject({ state: 'not_active', why: 'host_lost' });
  expect(await getProduct(registry, 'all', first)).toMatchObject({ state: 'host_lost' });
  expect((await getStore(registry, 'all', shop.storeId)).pendingChanges).toMatchObject([
    { id: change, kind: 'domain', hostname: `second.${shop.host}` },
  ]);
  const worker = testWorker(registry);
  await worker.batch();
  // the domain is added again while its removal is being processed
  await addDomain(registry, 'all', shop.storeId, { hostname: `second.${shop.host}` });
  await follow();
  expect([await seats(), await held()]).toEqual([COUNT, COUNT]);
  expect(await loader.product(first)).toMatchObject({ state: 'active' });
});

it('schedules the images of a store to be scanned again, for signatures, in batches', async () => {
  const { store, change } = await patchStore(registry, 'all', shop.storeId, { signImages: true });
  expect(store.pendingChanges).toMatchObject([{ id: change, kind: 'image_signing' }]);
  // no seat waits for that
  expect((await capacity(1)).change).toBeNull();
  await follow();
  expect(
    await one(
      `select count(*) from jobs where owner = '${shop.storeId}' and orders = 2 and $1::uuid is not null`,
    ),
  ).toBe(COUNT);
  expect(await getChange(registry, { merchantId: shop.merchantId }, change ?? '')).toMatchObject({
    state: 'done',
    done: COUNT,
  });
  await expect(getChange(registry, { merchantId: randomUUID() }, change ?? '')).rejects.toMatchObject({
    code: 'change_unknown',
  });
});

it('announces each product that gains or loses a seat, and those of a deleted store by their store only', async () => {
  const client = await registry.database.open({ max: 1 }).pool.connect();
  const heard: string[] = [];
  client.on('notification', ({ payload }) => void heard.push(payload ?? ''));
  await client.query('listen touchstone_changed');
  await capacity(30);
  await follow();
  await client.query('select 1');
  expect(heard.flatMap(changesOf).filter((each) => each.startsWith('p:'))).toHaveLength(30);
  heard.length = 0;
  await deleteStore(registry, 'all', shop.storeId);
  await follow();
  await client.query('select 1');
  expect([...new Set(heard)].toSorted()).toEqual([`s:${shop.storeId}`]);
  client.release();
});

it('continues after a node died, on any node', async () => {
  const { change } = await capacity(COUNT);
  const lost = testWorker(registry);
  await lost.batch();
  await lost.batch();
  await sql`update jobs set leased_until = now() - interval '1 second' where state = 'running'`.execute(
    registry.db,
  );
  const next = testWorker(registry);
  await next.batch();
  // it is another's by now
  expect(await lost.batch()).toBe(false);
  expect(await getChange(registry, 'all', change ?? '')).toMatchObject({ done: 3 * AT_ONCE, total: COUNT });
  while (await next.batch());
  expect([await seats(), await held(), await oldest(COUNT)]).toEqual([COUNT, COUNT, COUNT]);
});
