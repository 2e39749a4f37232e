import type { ProductListQuery } from '@touchstone/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../testing.ts';
import { deleteProduct, patchProduct } from './change-product.ts';
import { countProducts } from './count-products.ts';
import { findProducts } from './find-products.ts';
import { listProducts } from './read-products.ts';

let registry: TestRegistry;
let shop: TestShop;
let other: TestShop;
beforeAll(async () => {
  registry = await testRegistry();
  shop = await testShop(registry, 'shop.example', 10_000);
  other = await testShop(registry, 'other.example');
  await shop.put(
    shop.row('1', { name: 'Cup, sky-blue', sku: 'CUP-1', gtin: '4006381333931' }),
    shop.row('2', { name: 'Blue Cup "Müller"', sku: 'CUP-1' }),
    shop.row('3', { name: 'TEAPOT Чашка/blue', gtin: '4006381333931' }),
    shop.row('4', { name: "O'Neill's cup & saucer (2 pcs.)", visible: false }),
  );
  await other.put(other.row('1', { name: 'Blue cup', sku: 'CUP-1' }));
});
afterAll(() => registry.close());

const list = async (query: Partial<ProductListQuery>, storeId = shop.storeId) => {
  const { products, nextCursor } = await listProducts(registry, 'all', storeId, { limit: 100, ...query });
  return { ids: products.map(({ externalProductId }) => externalProductId), nextCursor };
};
const found = async (query: Partial<ProductListQuery>) => (await list(query)).ids;

describe('products of a store', () => {
  it('are found by the shop’s own identifiers, in that store only', async () => {
    expect(await found({ externalProductId: '2' })).toEqual(['2']);
    expect(await found({ sku: 'CUP-1' })).toEqual(['1', '2']);
    expect(await found({ gtin: '4006381333931' })).toEqual(['1', '3']);
    expect(await found({ sku: 'CUP-1', gtin: '4006381333931' })).toEqual(['1']);
    expect(await found({ sku: 'cup-1' })).toEqual([]);
    expect(await found({ sku: 'CUP-1', state: 'hidden' })).toEqual([]);
    expect((await list({ sku: 'CUP-1' }, other.storeId)).ids).toEqual(['1']);
  });

  it.each([
    ['cup', ['1', '2', '4']],
    ['blu cup', ['1', '2']],
    ['BLUE', ['1', '2', '3']],
    ['müll', ['2']],
    ['чаш', ['3']],
    ['neill', ['4']],
    ["o'neill", ['4']],
    ['saucer (2', ['4']],
    ['lue', []],
    ['blue mug', []],
    [`' & | ! : * \\ <-> cup`, ['1', '2', '4']],
  ])('are found by words of their names: %s', async (q, ids) => {
    expect(await found({ q })).toEqual(ids);
  });

  it('are found by words and state together, including deleted ones', async () => {
    expect(await found({ q: 'cup', state: 'hidden' })).toEqual(['4']);
    expect(await found({ q: 'cup', state: 'active', sku: 'CUP-1' })).toEqual(['1', '2']);
    const { products } = await listProducts(registry, 'all', other.storeId, { limit: 1 });
    await deleteProduct(registry, 'all', products[0]?.id ?? '');
    expect((await list({ q: 'cup' }, other.storeId)).ids).toEqual([]);
    expect((await list({ q: 'cup', state: 'deleted' }, other.storeId)).ids).toEqual(['1']);
  });

  it('are counted by state, and as paused with their merchant', async () => {
    const none = { active: 0, hidden: 0, host_lost: 0, paused: 0, no_slot: 0, disabled: 0, deleted: 0 };
    const counts = () => countProducts(registry, 'all', shop.storeId);
    expect(await counts()).toEqual({ total: 4, states: { ...none, active: 3, hidden: 1 } });
    const pause = (paused: boolean) =>
      sql`update merchants set paused = ${paused} where id = ${shop.merchantId}`;
    await pause(true).execute(registry.db);
    expect(await counts()).toEqual({ total: 4, states: { ...none, paused: 3, hidden: 1 } });
    await pause(false).execute(registry.db);
    expect((await countProducts(registry, 'all', other.storeId)).states.deleted).toBe(1);
  });

  it('are listed page by page, and no cursor of one list is accepted for another', async () => {
    const first = await list({ q: 'cup', limit: 2 });
    expect(first.ids).toEqual(['1', '2']);
    expect(await list({ q: 'cup', limit: 2, cursor: first.nextCursor })).toEqual({ ids: ['4'] });
    const updatedSince = '2026-01-01T00:00:00Z';
    await expect(list({ updatedSince, cursor: first.nextCursor })).rejects.toMatchObject({
      code: 'bad_request',
    });
    const changed = await list({ updatedSince, limit: 1 });
    await expect(list({ cursor: changed.nextCursor })).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('changed since a time are listed in the order of their last change, to the microsecond', async () => {
    expect(await found({ updatedSince: '2026-11-20T10:00:00.001Z' })).toEqual([]);
    const later = { ...registry, clock: () => new Date('2026-11-21T10:00:00Z') };
    const { products } = await listProducts(registry, 'all', shop.storeId, { limit: 100 });
    for (const index of [2, 0]) {
      const id = products[index]?.id ?? '';
      await patchProduct(later, 'all', id, { brand: 'B' });
      await sql`update products set updated_at = updated_at + ${index * 3} * interval '1 microsecond' where id = ${id}`.execute(
        registry.db,
      );
    }
    expect(await found({ updatedSince: '2026-11-21T12:00:00+02:00' })).toEqual(['1', '3']);
    const pages: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await list({ updatedSince: '2026-11-20T10:00:00Z', limit: 1, cursor });
      pages.push(...page.ids);
      if (page.nextCursor === undefined) break;
      cursor = page.nextCursor;
    }
    expect(pages).toEqual(['2', '4', '1', '3']);
  });
});

describe('words that occur far down in a large store', () => {
  it('are found through the index, in order and page by page, by state and time too', async () => {
    const large = await testShop(registry, 'large.example', 10_000);
    await sql`
      with made as (
      insert into products (id, store_id, merchant_id, external_product_id, name, url, host, visible, slot_order, updated_at)
      select gen_random_uuid(), ${large.storeId}, ${large.merchantId}, n, 'Cup ' || n || case when n > 2500 then ' rare' else '' end,
        'https://large.example/' || n, 'large.example', n % 2 = 0, case when n % 2 = 0 then n end,
        timestamptz '2026-01-01' - n * interval '1 second'
      from generate_series(1, 3000) n order by n returning id, merchant_id)
      insert into directory (id, merchant_id) select id, merchant_id from made`.execute(registry.db);
    const rare = (query: Partial<ProductListQuery>) =>
      list({ q: 'rare cup', limit: 3, ...query }, large.storeId);
    const first = await rare({});
    expect(first.ids).toEqual(['2501', '2502', '2503']);
    expect((await rare({ cursor: first.nextCursor })).ids).toEqual(['2504', '2505', '2506']);
    expect((await rare({ state: 'active' })).ids).toEqual(['2502', '2504', '2506']);
    expect((await rare({ updatedSince: '2025-01-01T00:00:00Z', state: 'hidden' })).ids).toEqual([
      '2999',
      '2997',
      '2995',
    ]);
    expect(await rare({ q: 'rare 2999' })).toEqual({ ids: ['2999'] });
    expect(await rare({ q: 'rare mug' })).toEqual({ ids: [] });
    const store = { id: large.storeId, merchantId: large.merchantId };
    await registry.db.transaction().execute(async (trx) => {
      const met = await findProducts(trx, store, { q: 'rare cup', after: '0' }, 500);
      expect(met).toHaveLength(500);
      const last = await findProducts(trx, store, { q: 'rare', after: met[498]?.createdOrder ?? '' }, 500);
      expect(last.map(({ id }) => id)).toEqual([met[499]?.id]);
      // later statements of the transaction are planned as usual
      expect((await sql`show enable_indexscan`.execute(trx)).rows).toEqual([{ enable_indexscan: 'on' }]);
    });
  });
});
