import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { row, useRegistryApi } from '../testing.ts';

const { call, merchant, operator } = useRegistryApi({ productsAtOnce: 2 });
const CHANGES = '/api/v1/registry';

async function shopOf(host: string) {
  const shop = await merchant(host);
  const rows = Array.from({ length: 5 }, (_, nth) => row(host, String(nth)));
  await call(shop.key, 'PUT', `/stores/${shop.store.id}/products`, rows);
  return shop;
}

it('answers 202 with a link while products follow, and 200 when they have', async () => {
  const shop = await shopOf('answered.example');
  const path = `/merchants/${shop.id}`;
  const large = await call(operator, 'PATCH', path, { planCapacity: 0 });
  expect(large).toMatchObject({ status: 202, json: { planCapacity: 0, slotsHeld: 5 } });
  const [pending] = large.json.pendingChanges;
  expect(pending).toMatchObject({ kind: 'capacity', merchantId: shop.id, state: 'pending', done: 0 });
  expect(large.headers.location).toBe(`${CHANGES}/changes/${pending.id}`);
  expect((await call(shop.key, 'GET', `/changes/${pending.id}`)).json).toEqual(pending);
  expect((await call(shop.key, 'GET', path)).json.pendingChanges).toEqual([pending]);
  expect((await call(shop.key, 'GET', '/changes')).json).toEqual({ changes: [pending] });
  expect((await call(operator, 'PATCH', path, { name: 'Another' })).status).toBe(200);
});

it('answers a deletion likewise: the store no longer exists, and is not visible to others', async () => {
  const [shop, other] = [await shopOf('gone.example'), await shopOf('stays.example')];
  const gone = await call(shop.key, 'DELETE', `/stores/${shop.store.id}`);
  expect(gone).toMatchObject({ status: 202, json: { kind: 'store_deletion', storeId: shop.store.id } });
  expect(gone.headers.location).toBe(`${CHANGES}/changes/${gone.json.id}`);
  expect((await call(shop.key, 'GET', `/stores/${shop.store.id}`)).status).toBe(404);
  expect((await call(other.key, 'GET', `/changes/${gone.json.id}`)).json).toMatchObject({
    status: 404,
    code: 'change_unknown',
  });
  expect((await call(other.key, 'GET', '/changes')).json).toEqual({ changes: [] });
  expect((await call(operator, 'GET', `/changes?merchantId=${shop.id}`)).json.changes).toEqual([gone.json]);
  expect((await call(operator, 'GET', `/changes/${randomUUID()}`)).status).toBe(404);
});
