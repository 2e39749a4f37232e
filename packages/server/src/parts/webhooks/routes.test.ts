import { randomUUID } from 'node:crypto';
import { MAX_WEBHOOKS } from '@touchstone/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestService, testService } from '../../testing.ts';

let service: TestService;
let merchants: { id: string; key: string }[];

beforeAll(async () => {
  service = await testService();
  merchants = await Promise.all(['One', 'Two'].map(addMerchant));
});
afterAll(() => service.dispose());

async function addMerchant(name: string) {
  const { id } = (await service.operate('POST', '/api/v1/registry/merchants', { name, planCapacity: 1 })) as {
    id: string;
  };
  const made = await service.operate('POST', `/api/v1/registry/merchants/${id}/api-keys`);
  return { id, key: (made as { key: string }).key };
}

async function call(nth: number, method: string, path: string, body?: unknown) {
  const response = await fetch(`${service.url}/api/v1/registry/webhooks${path}`, {
    method,
    headers: { authorization: `Bearer ${merchants[nth]?.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, which the tests inspect
  return { status: response.status, json: text === '' ? undefined : (JSON.parse(text) as any) };
}

const create = (nth: number, changes: object = {}) =>
  call(nth, 'POST', '', { merchantId: merchants[nth]?.id, url: 'https://hooks.example/events', ...changes });

it('is created with a secret that is shown once and stored encrypted, changed, paused, and deleted', async () => {
  const { status, json: made } = await create(0, { description: 'Plugin' });
  expect(status).toBe(201);
  expect(made).toMatchObject({ state: 'active', pending: 0, description: 'Plugin' });
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const [row] = await service.database.query('select secret from webhooks where id = $1', [made.id]);
  const bytes = Buffer.from(made.secret.slice('whsec_'.length), 'base64');
  expect((row as { secret: Buffer }).secret.includes(bytes)).toBe(false);
  const { secret: _secret, ...shown } = made;
  expect((await call(0, 'GET', `/${made.id}`)).json).toEqual(shown);
  const patched = await call(0, 'PATCH', `/${made.id}`, { events: ['copy.found'], paused: true });
  expect(patched.json).toMatchObject({ events: ['copy.found'], state: 'paused', pausedBecause: 'asked' });
  expect((await call(0, 'PATCH', `/${made.id}`, { paused: false })).json).toMatchObject({ state: 'active' });
  expect((await call(0, 'POST', `/${made.id}/rotate-secret`, { keepHours: 0 })).json).toEqual({
    id: made.id,
    secret: expect.stringMatching(/^whsec_/),
  });
  expect((await call(0, 'DELETE', `/${made.id}`)).status).toBe(204);
  expect((await call(0, 'GET', `/${made.id}`)).json).toMatchObject({ status: 404, code: 'webhook_unknown' });
});

it('is visible to its merchant only', async () => {
  const { json: own } = await create(0);
  expect((await call(0, 'GET', '')).json.webhooks).toEqual([expect.objectContaining({ id: own.id })]);
  expect((await call(1, 'GET', '')).json).toEqual({ webhooks: [] });
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
    ['GET', `/deliveries/${randomUUID()}`],
    ['POST', `/deliveries/${randomUUID()}/replay`],
  ] as const) {
    const { json } = await call(1, method, `/${own.id}${path}`, method === 'PATCH' ? {} : undefined);
    expect([method, path, json.code]).toEqual([method, path, 'webhook_unknown']);
  }
  expect(
    (await call(1, 'POST', '', { merchantId: merchants[0]?.id, url: 'https://x.example' })).json,
  ).toMatchObject({ code: 'merchant_unknown' });
  const unknown = await call(0, 'GET', `/${own.id}/deliveries/${randomUUID()}`);
  expect(unknown.json).toMatchObject({ status: 404, code: 'delivery_unknown' });
});

it('requires https, and existing event types', async () => {
  expect((await create(0, { url: 'http://hooks.example' })).json).toMatchObject({
    status: 422,
    code: 'webhook_url_refused',
  });
  for (const changes of [
    { events: ['nothing.happened'] },
    { events: ['webhook.test'] },
    { events: [] },
    { url: 'x' },
  ]) {
    expect((await create(0, changes)).status).toBe(422);
  }
});

it(`is one of at most ${MAX_WEBHOOKS}`, async () => {
  // at the same time
  const made = await Promise.all(Array.from({ length: MAX_WEBHOOKS + 4 }, () => create(1)));
  expect(made.filter(({ status }) => status === 201)).toHaveLength(MAX_WEBHOOKS);
  expect((await create(1)).json).toMatchObject({ status: 409, code: 'conflict' });
});

it('lists a test that nobody received, in the log and page by page', async () => {
  const { json: own } = await create(0);
  const { status, json: test } = await call(0, 'POST', `/${own.id}/test`);
  expect([status, test]).toMatchObject([202, { state: 'pending', type: 'webhook.test', attempts: 0 }]);
  await call(0, 'POST', `/${own.id}/test`);
  const first = (await call(0, 'GET', `/${own.id}/deliveries?limit=1`)).json;
  expect(first.deliveries).toHaveLength(1);
  const second = (await call(0, 'GET', `/${own.id}/deliveries?limit=1&cursor=${first.nextCursor}`)).json;
  expect(second.deliveries).toMatchObject([{ id: test.id }]);
  expect(second.nextCursor).toBeUndefined();
  expect((await call(0, 'GET', `/${own.id}/deliveries?state=delivered`)).json).toEqual({ deliveries: [] });
});
