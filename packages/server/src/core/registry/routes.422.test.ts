import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { row, useRegistryApi } from './testing.ts';

const { call, merchant, operator } = useRegistryApi();

it.each([
  [
    'POST',
    '/merchants',
    { name: '', planCapacity: -1, extra: 1 },
    ['body.name', 'body.planCapacity', 'body.extra'],
  ],
  ['POST', '/merchants', { name: 'a\0', planCapacity: 2 ** 40 }, ['body.name', 'body.planCapacity']],
  [
    'POST',
    '/stores',
    { merchantId: 'x', name: 'x', url: 'https://203.0.113.7' },
    ['body.merchantId', 'body.url'],
  ],
  ['POST', '/stores', { merchantId: randomUUID(), name: 'x', url: 'shop.example' }, ['body.url']],
  ['POST', `/stores/${randomUUID()}/domains`, { hostname: 'https://x.example' }, ['body.hostname']],
  ['POST', `/stores/${randomUUID()}/domains`, { hostname: '127.0.0.1' }, ['body.hostname']],
  ['GET', '/products/x', undefined, ['path.product_id']],
] as const)('names every fault of %s %s %#', async (method, path, body, faults) => {
  const refused = await call(operator, method, path, body);
  expect(refused.status).toBe(422);
  const named = refused.json.detail.map((fault: { loc: string[] }) => fault.loc.join('.'));
  expect([...new Set(named)].toSorted()).toEqual(faults.toSorted());
});

it('refuses more than 1,000 rows in one array, and says how to send more', async () => {
  const m = await merchant('thousand.example');
  const rows = Array.from({ length: 1001 }, (_, i) => row('thousand.example', String(i)));
  const refused = await call(m.key, 'PUT', `/stores/${m.store.id}/products`, rows);
  expect(refused).toMatchObject({ status: 422, json: { detail: [{ loc: ['body'], type: 'too_long' }] } });
  expect(refused.json.detail[0].msg).toBe(
    'List should have at most 1000 items; send more as NDJSON, with Content-Type: application/x-ndjson',
  );
  expect(
    (await call(m.key, 'PUT', `/stores/${m.store.id}/products`, rows.slice(1))).json.results,
  ).toHaveLength(1000);
});
