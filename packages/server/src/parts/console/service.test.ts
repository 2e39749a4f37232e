import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestService, testService } from '../../testing.ts';

let service: TestService;
let merchantKey: string;
let merchantId: string;
beforeAll(async () => {
  service = await testService();
  const merchant = (await service.operate('POST', '/api/v1/registry/merchants', {
    name: 'M',
    planCapacity: 1,
  })) as { id: string };
  merchantId = merchant.id;
  const made = await service.operate('POST', `/api/v1/registry/merchants/${merchantId}/api-keys`);
  merchantKey = (made as { key: string }).key;
});
afterAll(() => service.dispose());

async function signIn(apiKey: string) {
  const response = await fetch(`${service.url}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ apiKey }),
  });
  const setCookie = response.headers.get('set-cookie') ?? '';
  return { setCookie, cookie: setCookie.split(';')[0] ?? '', status: response.status };
}

const OPERATOR = '/api/v1/registry/operator';

async function ask(path: string, headers: Record<string, string>) {
  const response = await fetch(`${service.url}${path}`, { headers });
  return { status: response.status, json: await response.json() };
}

it('shows its state to the operator, and to nobody else', async () => {
  const operator = await signIn(String(service.operatorKey));
  const merchant = await signIn(merchantKey);
  // without TLS
  expect(merchant.setCookie).toMatch(/^touchstone_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  for (const path of [`${OPERATOR}/overview`, `${OPERATOR}/hosts`]) {
    expect((await ask(path, {})).status).toBe(401);
    expect((await ask(path, { authorization: `Bearer ${merchantKey}` })).status).toBe(403);
    expect((await ask(path, { cookie: merchant.cookie })).status).toBe(403);
    expect((await ask(path, { cookie: operator.cookie })).status).toBe(200);
  }
  await expect
    .poll(async () => (await ask(`${OPERATOR}/overview`, { cookie: operator.cookie })).json.nodes)
    .toMatchObject([{ state: 'ready', processes: 1, problems: [] }]);
  const { merchants, keys } = (await ask(`${OPERATOR}/overview`, { cookie: operator.cookie })).json;
  expect(merchants).toEqual({ count: 1, paused: 0, full: 0, planCapacity: 1, slotsHeld: 0 });
  expect(keys[0]).toMatchObject({ purpose: 'proofs', retired: 0, rotatesAt: expect.any(String) });
});

it('lets no other site frame the console', async () => {
  const { headers } = await fetch(`${service.url}/console`, { headers: { accept: 'text/html' } });
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
});

it('accepts a session after a restart, and on every node', async () => {
  const { cookie } = await signIn(merchantKey);
  const other = await service.restart();
  service = other;
  const { status, json } = await ask('/console/session', { cookie });
  expect([status, json.merchantId]).toEqual([200, merchantId]);
  await expect.poll(async () => (await other.database.query('select * from nodes')).length).toBe(1);
});
