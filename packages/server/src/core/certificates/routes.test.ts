import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../testing.ts';

const REGISTRY = '/api/v1/registry';

let service: TestService;
let storeId: string;
let productId: string;
beforeAll(async () => {
  service = await testService({ settings: { TOUCHSTONE_CERTIFICATES_AHEAD: 'true' } });
  const merchant = (await service.operate('POST', `${REGISTRY}/merchants`, {
    name: 'M',
    planCapacity: 10,
  })) as { id: string };
  const store = await service.operate('POST', `${REGISTRY}/stores`, {
    merchantId: merchant.id,
    name: 'S',
    url: 'https://shop.example',
  });
  storeId = (store as { id: string }).id;
  const row = { externalProductId: 'cup', name: 'Cup', url: 'https://shop.example/cup' };
  const { results } = (await service.operate('PUT', `${REGISTRY}/stores/${storeId}/products`, [row])) as {
    results: { id: string }[];
  };
  productId = results[0]?.id ?? '';
});
afterAll(() => service.dispose());

const progress = () => service.operate('GET', `${REGISTRY}/stores/${storeId}/certificates/progress`);
const ask = (path: string) =>
  fetch(`${service.url}${REGISTRY}/stores/${path}`, {
    headers: { authorization: `Bearer ${service.operatorKey}` },
  });

test('a service issues certificates of imported products without being asked for one', async () => {
  await expect.poll(progress).toMatchObject({ state: 'done', certificates: 1, left: 0 });
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toContain('touchstone_certificates_ahead_total{outcome="issued"} 1');
  expect(metrics).toContain('touchstone_signatures_total 1');
});

test('the stream contains it with the bytes of the public GET, and nothing after its cursor', async () => {
  const answer = await ask(`${storeId}/certificates`);
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const [line = '', end = ''] = (await answer.text()).split('\n');
  const document = await fetch(`${service.url}/api/v1/mc4p/products/${productId}/certificate`);
  expect(line).toContain(`"certificate":${await document.text()}}`);
  const { status, cursor } = JSON.parse(end) as { status: string; cursor: string };
  expect(status).toBe('end');
  const rest = await (await ask(`${storeId}/certificates?since=${cursor}`)).text();
  expect(rest.trim().split('\n')).toHaveLength(1);
});

test('an invalid cursor is a 400, another merchant’s store a 404', async () => {
  expect((await ask(`${storeId}/certificates?since=junk`)).status).toBe(400);
  expect((await ask(`${productId}/certificates`)).status).toBe(404);
  expect((await fetch(`${service.url}${REGISTRY}/stores/${storeId}/certificates`)).status).toBe(401);
});
