import { randomUUID } from 'node:crypto';
import type { ProductAction, RegistryChange } from '@touchstone/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { deleteProduct, patchProduct } from '../products/change-product.ts';
import { countProducts } from '../products/count-products.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../testing.ts';
import { deleteUndoRecords } from './delete-old-changes.ts';
import { actOnProducts } from './product-actions.ts';
import { getChange } from './read-changes.ts';
import { followChanges, testWorker } from './testing.ts';
import { undoChange } from './undo-change.ts';

let registry: TestRegistry;
let now = new Date('2026-11-20T10:00:00Z');
let shop: TestShop;
let nth = 0;
beforeAll(async () => {
  registry = { ...(await testRegistry()), productsAtOnce: 4, clock: () => now };
});
afterAll(() => registry.close());
beforeEach(async () => {
  nth += 1;
  shop = await testShop(registry, `shop-${nth}.example`, 6);
});

const act = (action: ProductAction) => actOnProducts(registry, 'all', shop.storeId, action);
const undo = ({ id }: RegistryChange) => undoChange(registry, 'all', id);

/** Products named p0, p1 …; of every tenth the name is another. */
async function put(count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, i) =>
    shop.row(`p${i}`, i % 10 === 9 ? { name: 'Odd one' } : {}),
  );
  return (await shop.put(...rows)).map(({ id }) => id ?? '');
}

/** Products by state, those of no product left out. */
async function states() {
  const { states: counts } = await countProducts(registry, 'all', shop.storeId);
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

async function seats() {
  const [row] = await registry.database.query('select slots_held as held from merchants where id = $1', [
    shop.merchantId,
  ]);
  return row?.held;
}

it('hides a selection at once, gives its seats to others, and shows it again', async () => {
  const ids = await put(8);
  expect(await states()).toEqual({ active: 6, no_slot: 2 });
  registry.changes.length = 0;
  const hidden = await act({ action: 'hide', productIds: [...ids.slice(0, 3), randomUUID()] });
  expect(hidden).toMatchObject({ kind: 'hide', state: 'done', changed: 3, storeId: shop.storeId });
  expect(hidden.undoableUntil).toBe('2026-11-27T10:00:00.000Z');
  expect([await states(), await seats()]).toEqual([{ active: 5, hidden: 3 }, 5]);
  expect(new Set(registry.changes)).toEqual(
    new Set([...ids.slice(0, 3), ...ids.slice(6)].map((id) => `p:${id}`)),
  );
  expect((await act({ action: 'hide', productIds: ids.slice(2, 4) })).changed).toBe(1);
  const shown = await undo(hidden);
  expect(shown).toMatchObject({ kind: 'show', state: 'done', changed: 3, undoes: hidden.id });
  expect(shown).not.toHaveProperty('undoableUntil');
  expect([await states(), await seats()]).toEqual([{ active: 6, no_slot: 1, hidden: 1 }, 6]);
  expect(await undo(hidden)).toEqual(shown);
  expect(await getChange(registry, 'all', hidden.id)).toMatchObject({ undoneBy: shown.id });
  await expect(undo(shown)).rejects.toMatchObject({ code: 'conflict' });
});

it('undoes only its own changes, and nothing that was changed since', async () => {
  const ids = await put(4);
  const [first = '', second = '', third = ''] = ids;
  await patchProduct(registry, 'all', first, { visible: false });
  const hidden = await act({ action: 'hide', filter: {} });
  expect(hidden.changed).toBe(3);
  await patchProduct(registry, 'all', second, { visible: true });
  await deleteProduct(registry, 'all', third);
  expect((await undo(hidden)).changed).toBe(1);
  expect(await states()).toEqual({ hidden: 1, active: 2, deleted: 1 });
});

it('restores deleted products under their ids, with their images to be scanned', async () => {
  const ids = await put(3);
  const deleted = await act({ action: 'delete', productIds: ids });
  expect(await states()).toEqual({ deleted: 3 });
  const scans = async () =>
    (
      await registry.database.query(
        `select count(*) filter (where live)::int as live from jobs where queue = 'image-scans' and owner = $1`,
        [shop.storeId],
      )
    )[0]?.live;
  expect(await scans()).toBe(0);
  // a product that was restored and deleted again stays deleted, as that was a later decision
  now = new Date(now.getTime() + 1_000);
  await shop.put(shop.row('p0'));
  await deleteProduct(registry, 'all', ids[0] ?? '');
  const restored = await undo(deleted);
  expect(restored).toMatchObject({ kind: 'restore', changed: 2 });
  expect([await states(), await scans(), await seats()]).toEqual([{ active: 2, deleted: 1 }, 2, 2]);
  expect((await shop.put(shop.row('p1')))[0]).toMatchObject({ id: ids[1], status: 'unchanged' });
});

it('hides many products by a filter in batches, whatever happens in between, and undoes it likewise', async () => {
  await put(25);
  const hidden = await act({ action: 'hide', filter: { state: 'active' } });
  expect(hidden).toMatchObject({ state: 'pending', done: 0, changed: 0 });
  const worker = testWorker(registry, shop.merchantId);
  await worker.batch();
  // a product that comes later is not meant
  await shop.put(shop.row('later'));
  await (await worker.replace()).batch();
  await followChanges(registry);
  expect(await getChange(registry, 'all', hidden.id)).toMatchObject({ state: 'done', changed: 6 });
  // their seats went to those that waited
  expect([await states(), await seats()]).toEqual([{ hidden: 6, active: 6, no_slot: 14 }, 6]);
  const shown = await undo(hidden);
  expect(shown).toMatchObject({ state: 'pending', total: 6 });
  await followChanges(registry);
  expect(await getChange(registry, 'all', shown.id)).toMatchObject({ state: 'done', changed: 6, done: 6 });
  expect([await states(), await seats()]).toEqual([{ active: 6, no_slot: 20 }, 6]);
});

it('stops an action in progress before it undoes it', async () => {
  await put(12);
  const deleted = await act({ action: 'delete', filter: {} });
  await testWorker(registry, shop.merchantId).batch();
  expect(await states()).toMatchObject({ deleted: 4 });
  const restored = await undo(deleted);
  expect(restored).toMatchObject({ state: 'done', changed: 4 });
  await followChanges(registry);
  expect([await states(), await seats()]).toEqual([{ active: 6, no_slot: 6 }, 6]);
  expect(await getChange(registry, 'all', deleted.id)).toMatchObject({ state: 'done', changed: 4 });
});

it('finds products by words of their names', async () => {
  await put(60);
  expect(await act({ action: 'hide', filter: { q: 'odd' } })).toMatchObject({ state: 'pending' });
  await followChanges(registry);
  expect(await states()).toMatchObject({ hidden: 6 });
  expect(await act({ action: 'show', filter: { q: 'odd', state: 'active' } })).toMatchObject({ changed: 0 });
});

it('applies to its own store and merchant only', async () => {
  const [id = ''] = await put(1);
  const other = await testShop(registry, 'other.example');
  const scope = { merchantId: other.merchantId };
  const action: ProductAction = { action: 'hide', productIds: [id] };
  await expect(actOnProducts(registry, scope, shop.storeId, action)).rejects.toMatchObject({
    code: 'store_unknown',
  });
  expect((await actOnProducts(registry, scope, other.storeId, action)).changed).toBe(0);
  const hidden = await act(action);
  await expect(undoChange(registry, scope, hidden.id)).rejects.toMatchObject({ code: 'change_unknown' });
  await expect(undoChange(registry, 'all', randomUUID())).rejects.toMatchObject({ code: 'change_unknown' });
});

it('can be undone for 7 days, after which its record is deleted', async () => {
  const hidden = await act({ action: 'hide', productIds: await put(2) });
  const remembered = async () =>
    (await registry.database.query('select from registry_change_products where change_id = $1', [hidden.id]))
      .length;
  await deleteUndoRecords(registry);
  expect(await remembered()).toBe(2);
  now = new Date(now.getTime() + 7 * 86_400_000 + 1);
  await expect(undo(hidden)).rejects.toMatchObject({ code: 'conflict' });
  for (let i = 0; i < 30; i += 1) await deleteUndoRecords(registry);
  expect(await remembered()).toBe(0);
});
