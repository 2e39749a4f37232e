import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { row, useRegistryApi } from './testing.ts';

const { call, merchant, operator, web } = useRegistryApi();

it('leads from a merchant to a proven domain and active products', async () => {
  const m = await merchant('path.example');
  const [domain] = m.store.domains;
  web['https://path.example/.well-known/touchstone-challenge'] = domain.challenge;
  const proof = await call(m.key, 'POST', `/stores/${m.store.id}/domains/path.example/verify`);
  expect(proof).toMatchObject({ status: 200, json: { verified: true, method: 'well_known' } });
  const put = await call(m.key, 'PUT', `/stores/${m.store.id}/products`, [
    row('path.example', 'a'),
    { nonsense: true },
  ]);
  expect(put.status).toBe(200);
  expect(put.json.results.map((result: { status: string }) => result.status)).toEqual(['created', 'error']);
  const id = put.json.results[0].id as string;
  expect((await call(m.key, 'GET', `/products/${id}`)).json).toMatchObject({ id, state: 'active' });
  const hidden = await call(m.key, 'PATCH', `/products/${id}`, { visible: false });
  expect(hidden.json.state).toBe('hidden');
  expect((await call(m.key, 'DELETE', `/products/${id}`)).status).toBe(204);
  expect((await call(m.key, 'PATCH', `/products/${id}`, { visible: true })).status).toBe(404);
});

it('lists merchants page by page: all for the operator, its own for a merchant', async () => {
  const made = [await merchant('own.example'), await merchant('other.example')];
  const own = await call(made[0]?.key ?? '', 'GET', '/merchants');
  expect(own).toMatchObject({ status: 200, json: { merchants: [{ id: made[0]?.id, slotsHeld: 0 }] } });
  expect(own.json.merchants).toHaveLength(1);
  const listed: string[] = [];
  let cursor: string | undefined;
  do {
    const from = cursor === undefined ? '' : `&cursor=${cursor}`;
    const page = (await call(operator, 'GET', `/merchants?limit=1${from}`)).json;
    listed.push(...page.merchants.map((one: { id: string }) => one.id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(listed).toEqual([...new Set(listed)]);
  for (const { id } of made) expect(listed).toContain(id);
});

it('treats an empty body as none, whatever its content type', async () => {
  const m = await merchant('empty.example');
  const typed = { 'content-type': 'application/json' };
  const made = await call(operator, 'POST', `/merchants/${m.id}/api-keys`, undefined, typed);
  expect(made.status).toBe(201);
  const refused = await call(operator, 'POST', '/merchants', undefined, typed);
  expect(refused).toMatchObject({ status: 422, json: { detail: [{ loc: ['body'], type: 'missing' }] } });
});

it('accepts a stream of rows, and returns a line for each', async () => {
  const m = await merchant('lines.example');
  const lines = ['a', 'b', 'c'].map((id) => JSON.stringify(row('lines.example', id)));
  lines.splice(1, 0, '{broken');
  const put = await call(m.key, 'PUT', `/stores/${m.store.id}/products`, lines.join('\n'));
  expect(put.headers['content-type']).toBe('application/x-ndjson');
  const results = put.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(results.map((result) => result.status)).toEqual(['created', 'error', 'created', 'created']);
});

it('lists products in order, page by page, by state', async () => {
  const m = await merchant('list.example');
  const rows = Array.from({ length: 12 }, (_, i) => row('list.example', `p${i}`));
  await call(m.key, 'PUT', `/stores/${m.store.id}/products`, rows);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const from = cursor === undefined ? '' : `&cursor=${cursor}`;
    const page = (await call(m.key, 'GET', `/stores/${m.store.id}/products?limit=5${from}`)).json;
    names.push(...page.products.map((product: { name: string }) => product.name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(names).toEqual(rows.map((one) => one.name));
  const of = async (state: string) =>
    (await call(m.key, 'GET', `/stores/${m.store.id}/products?state=${state}`)).json.products.length;
  expect([await of('active'), await of('no_slot'), await of('hidden'), await of('deleted')]).toEqual([
    10, 2, 0, 0,
  ]);
  for (const state of ['hidden', 'host_lost', 'paused', 'disabled']) expect(await of(state)).toBe(0);
  expect((await call(m.key, 'GET', `/stores/${m.store.id}/products?cursor=x`)).status).toBe(400);
  expect((await call(m.key, 'GET', `/stores/${m.store.id}/products?state=odd`)).status).toBe(422);
});

it('adds and removes images, each with a permanent id', async () => {
  const m = await merchant('images.example');
  const put = await call(m.key, 'PUT', `/stores/${m.store.id}/products`, [row('images.example', 'a')]);
  const id = put.json.results[0].id as string;
  const images = [
    { url: 'https://cdn.example/2.jpg' },
    { url: 'https://images.example/a.jpg', externalId: 'e' },
  ];
  const added = await call(m.key, 'POST', `/products/${id}/images`, { images });
  expect(added.status).toBe(201);
  expect(added.json.images.map((image: { url: string }) => image.url)).toEqual([
    'https://images.example/a.jpg',
    'https://cdn.example/2.jpg',
  ]);
  expect(added.json.images[0].externalId).toBe('e');
  const removed = added.json.images[1].id as string;
  expect((await call(m.key, 'DELETE', `/images/${removed}`)).status).toBe(204);
  expect(await call(m.key, 'DELETE', `/images/${removed}`)).toMatchObject({
    status: 404,
    json: { code: 'image_unknown' },
  });
  const again = await call(m.key, 'POST', `/products/${id}/images`, { images });
  expect(again.json.images[1].id).toBe(removed);
  const many = Array.from({ length: 250 }, (_, i) => ({ url: `https://cdn.example/many-${i}.jpg` }));
  expect((await call(m.key, 'POST', `/products/${id}/images`, { images: many })).status).toBe(409);
  expect((await call(m.key, 'GET', `/products/${id}`)).json.images).toHaveLength(2);
});

it('creates one store for two equal requests with one Idempotency-Key', async () => {
  const m = await merchant('once.example');
  const body = { merchantId: m.id, name: 'Second', url: 'https://second.example' };
  const headers = { 'idempotency-key': 'abc' };
  const first = await call(m.key, 'POST', '/stores', body, headers);
  const second = await call(m.key, 'POST', '/stores', body, headers);
  expect([second.status, second.text]).toEqual([201, first.text]);
  const other = await call(m.key, 'POST', '/stores', { ...body, name: 'Third' }, headers);
  expect(other.json.code).toBe('idempotency_key_reused');
});

it('forbids caching its responses', async () => {
  const m = await merchant('cache.example');
  for (const path of [`/merchants/${m.id}`, `/stores/${m.store.id}`, `/stores/${m.store.id}/products`]) {
    expect((await call(m.key, 'GET', path)).headers['cache-control']).toBe('no-store');
  }
});

it('requires a key, and a valid one', async () => {
  expect((await call('tsk_wrong', 'GET', `/merchants/${randomUUID()}`)).status).toBe(401);
  const m = await merchant('revoked.example');
  const made = (await call(m.key, 'POST', `/merchants/${m.id}/api-keys`, { label: 'x' })).json;
  expect((await call(made.key, 'GET', `/merchants/${m.id}`)).status).toBe(200);
  expect((await call(m.key, 'DELETE', `/merchants/${m.id}/api-keys/${made.id}`)).status).toBe(204);
  expect((await call(made.key, 'GET', `/merchants/${m.id}`)).status).toBe(401);
});

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
