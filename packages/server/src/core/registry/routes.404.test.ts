import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { row, useRegistryApi } from './testing.ts';

const { call, merchant } = useRegistryApi();

it('separates merchants: every call about another merchant’s objects answers 404', async () => {
  const a = await merchant('mine.example');
  const b = await merchant('theirs.example');
  const put = await call(b.key, 'PUT', `/stores/${b.store.id}/products`, [row('theirs.example', 'a')]);
  const id = put.json.results[0].id as string;
  const image = (await call(b.key, 'GET', `/products/${id}`)).json.images[0].id as string;
  const keyId = (await call(b.key, 'POST', `/merchants/${b.id}/api-keys`, { label: 'x' })).json.id as string;
  const requests = [
    ['GET', `/merchants/${b.id}`],
    ['PATCH', `/merchants/${b.id}`, { name: 'x' }],
    ['PATCH', `/merchants/${b.id}`, { planCapacity: 1 }],
    ['POST', `/merchants/${b.id}/api-keys`],
    ['DELETE', `/merchants/${b.id}/api-keys/${keyId}`],
    ['POST', '/stores', { merchantId: b.id, name: 'x', url: 'https://x.example' }],
    ['GET', `/stores/${b.store.id}`],
    ['PATCH', `/stores/${b.store.id}`, { name: 'x' }],
    ['DELETE', `/stores/${b.store.id}`],
    ['POST', `/stores/${b.store.id}/domains`, { hostname: 'x.example' }],
    ['POST', `/stores/${b.store.id}/domains/theirs.example/verify`],
    ['PUT', `/stores/${b.store.id}/products`, [row('theirs.example', 'b')]],
    ['GET', `/stores/${b.store.id}/products`],
    ['GET', `/products/${id}`],
    ['PATCH', `/products/${id}`, { visible: false }],
    ['PATCH', `/products/${id}`, { disabled: true }],
    ['DELETE', `/products/${id}`],
    ['POST', `/products/${id}/images`, { images: [{ url: 'https://x.example/x.jpg' }] }],
    ['DELETE', `/images/${image}`],
  ] as const;
  for (const [method, path, body] of requests) {
    const refused = await call(a.key, method, path, body);
    expect([method, path, refused.status]).toEqual([method, path, 404]);
    const unknown = path
      .replace(b.id, randomUUID())
      .replace(b.store.id, randomUUID())
      .replace(id, randomUUID());
    const like = await call(a.key, method, unknown.replace(image, randomUUID()), body);
    // exactly the answer for an id that does not exist
    expect({ ...refused.json, requestId: '' }).toEqual({ ...like.json, requestId: '' });
  }
  expect((await call(b.key, 'GET', `/products/${id}`)).json.state).toBe('active');
});
