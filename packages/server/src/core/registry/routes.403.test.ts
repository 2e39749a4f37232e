import { expect, it } from 'vitest';
import { row, useRegistryApi } from './testing.ts';

const { call, merchant, operator } = useRegistryApi();

it('reserves capacity, pause and disabling for the operator', async () => {
  const m = await merchant('operator.example');
  const put = await call(m.key, 'PUT', `/stores/${m.store.id}/products`, [row('operator.example', 'a')]);
  const product = `/products/${put.json.results[0].id}`;
  const refused = [
    await call(m.key, 'PATCH', `/merchants/${m.id}`, { planCapacity: 1000 }),
    await call(m.key, 'PATCH', `/merchants/${m.id}`, { paused: false }),
    await call(m.key, 'PATCH', product, { disabled: false }),
    await call(m.key, 'POST', '/merchants', { name: 'x', planCapacity: 1 }),
  ];
  for (const { status, json } of refused) expect([status, json.code]).toEqual([403, 'forbidden']);
  expect((await call(operator, 'PATCH', `/merchants/${m.id}`, { planCapacity: 3 })).json.planCapacity).toBe(
    3,
  );
  expect((await call(operator, 'PATCH', product, { disabled: true })).json.state).toBe('disabled');
  expect((await call(m.key, 'PATCH', `/merchants/${m.id}`, { name: 'New name' })).json.name).toBe('New name');
});
