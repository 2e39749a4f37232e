import { expect, it } from 'vitest';
import { row, useRegistryApi } from '../testing.ts';

const { call, merchant } = useRegistryApi({ productsAtOnce: 2 });

it('answers 200 for few products, 202 with a link for many, and 422 without a selection', async () => {
  const shop = await merchant('actions.example');
  const rows = Array.from({ length: 4 }, (_, i) => row('actions.example', `p${i}`));
  const put = await call(shop.key, 'PUT', `/stores/${shop.store.id}/products`, rows);
  const path = `/stores/${shop.store.id}/products/actions`;
  const productIds = put.json.results.slice(0, 2).map(({ id }: { id: string }) => id);
  const few = await call(shop.key, 'POST', path, { action: 'hide', productIds });
  expect(few).toMatchObject({ status: 200, json: { state: 'done', changed: 2 } });
  const many = await call(shop.key, 'POST', path, { action: 'show', filter: {} });
  expect(many).toMatchObject({ status: 202, json: { kind: 'show', state: 'pending' } });
  expect(many.headers.location).toBe(`/api/v1/registry/changes/${many.json.id}`);
  expect((await call(shop.key, 'POST', `/changes/${few.json.id}/undo`)).json).toMatchObject({
    kind: 'show',
    undoes: few.json.id,
  });
  for (const body of [
    { action: 'hide' },
    { action: 'hide', productIds: [] },
    { action: 'hide', productIds, filter: {} },
    { action: 'restore', productIds },
    { action: 'hide', filter: { state: 'deleted' } },
  ])
    expect((await call(shop.key, 'POST', path, body)).status).toBe(422);
});
