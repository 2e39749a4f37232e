import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { row, useRegistryApi } from '../../../core/registry/testing.ts';

let now = new Date('2026-11-20T10:00:00Z');
const { operator, call, merchant, inject, query } = useRegistryApi({ clock: () => now });

const OWN = { origin: 'https://certs.example', 'sec-fetch-site': 'same-origin' };
const later = (hours: number) => {
  now = new Date(now.getTime() + hours * 3_600_000);
};

/** A new caller for each test, since attempts are counted by caller. */
let callers = 0;
const address = () => {
  callers += 1;
  return `198.51.100.${callers}`;
};

async function signIn(apiKey: string, headers: Record<string, string> = OWN, remoteAddress = address()) {
  const response = await inject({
    method: 'POST',
    url: '/console/session',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ apiKey }),
    remoteAddress,
  });
  const setCookie = String(response.headers['set-cookie'] ?? '');
  return { response, setCookie, cookie: setCookie.split(';')[0] ?? '', json: response.json() };
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A browser that has signed in. */
async function browser(apiKey: string) {
  const { cookie, json } = await signIn(apiKey);
  return async (method: Method, url: string, body?: unknown) => {
    const response = await inject({
      method,
      url: url.startsWith('/console') ? url : `/api/v1/registry${url}`,
      headers: {
        ...OWN,
        cookie,
        'x-csrf-token': json.csrfToken,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    const isJson = response.payload !== '';
    return {
      status: response.statusCode,
      json: isJson ? response.json() : undefined,
      headers: response.headers,
    };
  };
}

it('starts with a key, and names its merchant without returning the key', async () => {
  const m = await merchant('begins.example');
  const { response, setCookie, json } = await signIn(m.key);
  expect(response.statusCode).toBe(201);
  expect(setCookie).toMatch(
    /^__Host-touchstone_session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  );
  expect(response.headers['cache-control']).toBe('no-store');
  expect(json).toMatchObject({
    role: 'merchant',
    merchantId: m.id,
    merchantName: 'M begins.example',
    startedAt: now.toISOString(),
    endsAt: new Date(now.getTime() + 24 * 3_600_000).toISOString(),
  });
  expect(JSON.stringify(json)).not.toContain(m.key);
  const ask = await browser(m.key);
  const { csrfToken: _, ...mine } = json;
  expect((await ask('GET', '/console/session')).json).toMatchObject(mine);
  expect((await ask('GET', '/stores')).json.stores).toHaveLength(1);
  expect((await (await browser(operator))('GET', '/console/session')).json.role).toBe('operator');
});

it('has a new token and cookie each time, and ends the previous one of the browser', async () => {
  const m = await merchant('fixation.example');
  const planted = `__Host-touchstone_session=${'A'.repeat(43)}`;
  const first = await signIn(m.key, { ...OWN, cookie: planted });
  expect(first.cookie).not.toBe(planted);
  const second = await signIn(m.key, { ...OWN, cookie: first.cookie });
  expect(new Set([planted, first.cookie, second.cookie]).size).toBe(3);
  expect(second.json.csrfToken).not.toBe(first.json.csrfToken);
  const opens = async (cookie: string) =>
    (await inject({ url: '/console/session', headers: { ...OWN, cookie } })).statusCode;
  expect(await Promise.all([planted, first.cookie, second.cookie].map(opens))).toEqual([204, 204, 200]);
});

it('ends after 8 hours without a call, and after 24 in any case', async () => {
  const m = await merchant('ends.example');
  const idle = await browser(m.key);
  later(7.9);
  expect((await idle('GET', '/console/session')).status).toBe(200);
  later(7.9);
  expect((await idle('GET', '/console/session')).status).toBe(200);
  later(8);
  // 204 rather than 401 without a session, since browsers log errors
  expect((await idle('GET', '/console/session')).status).toBe(204);
  expect((await idle('GET', '/stores')).json.code).toBe('session_missing');
  const busy = await browser(m.key);
  for (let hours = 0; hours < 23; hours += 1) {
    later(1);
    expect((await busy('GET', '/stores')).status).toBe(200);
  }
  later(1);
  expect((await busy('GET', '/stores')).json.code).toBe('session_missing');
});

it('ends with its key, and does not come back with it', async () => {
  const m = await merchant('revoked.example');
  const { json } = await call(m.key, 'POST', `/merchants/${m.id}/api-keys`, { label: 'laptop' });
  const ask = await browser(json.key);
  expect((await ask('GET', '/stores')).status).toBe(200);
  expect((await call(m.key, 'DELETE', `/merchants/${m.id}/api-keys/${json.id}`)).status).toBe(204);
  expect((await ask('GET', '/stores')).json.code).toBe('session_missing');
  expect((await signIn(json.key)).json.code).toBe('credentials_invalid');
});

it('ends on request, here only or everywhere', async () => {
  const m = await merchant('logout.example');
  const [laptop, phone, tablet] = [await browser(m.key), await browser(m.key), await browser(m.key)];
  const other = await browser((await call(m.key, 'POST', `/merchants/${m.id}/api-keys`)).json.key);
  const ended = await laptop('DELETE', '/console/session');
  expect(ended.status).toBe(204);
  expect(ended.headers['set-cookie']).toBe(
    '__Host-touchstone_session=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0',
  );
  expect((await laptop('GET', '/console/session')).status).toBe(204);
  expect((await phone('GET', '/console/session')).status).toBe(200);
  expect((await phone('DELETE', '/console/session?everywhere=true')).status).toBe(204);
  expect((await tablet('GET', '/console/session')).status).toBe(204);
  expect((await other('GET', '/console/session')).status).toBe(200);
});

it('is readable by our own pages only', async () => {
  const { cookie } = await signIn((await merchant('told.example')).key);
  const ask = async (site: string) =>
    (await inject({ url: '/console/session', headers: { cookie, 'sec-fetch-site': site } })).statusCode;
  expect([await ask('same-origin'), await ask('same-site'), await ask('cross-site')]).toEqual([
    200, 403, 403,
  ]);
});

it('can be started by our own pages only', async () => {
  const m = await merchant('login.example');
  for (const headers of [{}, { origin: 'https://evil.example' }, { ...OWN, 'sec-fetch-site': 'same-site' }]) {
    const { response, json, setCookie } = await signIn(m.key, headers);
    expect([response.statusCode, json.code, setCookie]).toEqual([403, 'cross_site_refused', '']);
  }
});

it('allows 10 failed attempts a minute per caller, even concurrent ones', async () => {
  const m = await merchant('force.example');
  const caller = address();
  for (let i = 0; i < 12; i += 1) expect((await signIn(m.key, OWN, caller)).response.statusCode).toBe(201);
  const attempts = Array.from({ length: 20 }, (_, i) => signIn(`tsk_guess_${i}`, OWN, caller));
  const answers = await Promise.all(attempts);
  const codes = answers.map(({ json }) => json.code);
  expect(codes.filter((code) => code === 'credentials_invalid')).toHaveLength(10);
  expect(codes.filter((code) => code === 'sign_in_rate_limited')).toHaveLength(10);
  const refused = await signIn(m.key, OWN, caller);
  expect(refused.response.statusCode).toBe(429);
  expect(Number(refused.response.headers['retry-after'])).toBeGreaterThan(0);
  expect((await signIn(m.key)).response.statusCode).toBe(201);
});

it('answers every invalid key alike', async () => {
  const m = await merchant('alike.example');
  const revoked = (await call(m.key, 'POST', `/merchants/${m.id}/api-keys`)).json;
  await call(m.key, 'DELETE', `/merchants/${m.id}/api-keys/${revoked.id}`);
  const answers = await Promise.all(
    ['x', `tsk_${'A'.repeat(43)}`, revoked.key, m.key.slice(0, -1), `${m.key}x`].map((key) => signIn(key)),
  );
  const bodies = answers.map(({ json }) => ({ ...json, requestId: '' }));
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  expect(bodies[0]).toMatchObject({ status: 401, code: 'credentials_invalid' });
});

it('records the day on which a key was last used', async () => {
  const m = await merchant('used.example');
  const made = (await call(m.key, 'POST', `/merchants/${m.id}/api-keys`, { label: 'feed' })).json;
  const days = async () => {
    const { keys } = (await call(operator, 'GET', `/merchants/${m.id}/api-keys`)).json;
    return keys.find(({ id }: { id: string }) => id === made.id).lastUsedOn;
  };
  expect(await days()).toBeUndefined();
  await call(made.key, 'GET', '/stores');
  expect(await days()).toBe(now.toISOString().slice(0, 10));
  const ask = await browser(made.key);
  later(7);
  await ask('GET', '/stores');
  later(7);
  await ask('GET', '/stores');
  later(7);
  await ask('GET', '/stores');
  expect(await days()).toBe(now.toISOString().slice(0, 10));
});

it('has the rights of its key, on its merchant’s objects only', async () => {
  const mine = await merchant('mine.example');
  const theirs = await merchant('theirs.example');
  const put = await call(theirs.key, 'PUT', `/stores/${theirs.store.id}/products`, [
    row('theirs.example', 'a'),
  ]);
  const product = put.json.results[0].id as string;
  const image = (await call(theirs.key, 'GET', `/products/${product}`)).json.images[0].id as string;
  const key = (await call(theirs.key, 'POST', `/merchants/${theirs.id}/api-keys`)).json.id as string;
  const ask = await browser(mine.key);
  const store = `/stores/${theirs.store.id}`;
  const requests: [Method, string, unknown?][] = [
    ['GET', `/merchants/${theirs.id}`],
    ['PATCH', `/merchants/${theirs.id}`, { name: 'x' }],
    ['GET', `/merchants/${theirs.id}/api-keys`],
    ['POST', `/merchants/${theirs.id}/api-keys`],
    ['DELETE', `/merchants/${theirs.id}/api-keys/${key}`],
    ['POST', '/stores', { merchantId: theirs.id, name: 'x', url: 'https://x.example' }],
    ['GET', store],
    ['PATCH', store, { name: 'x' }],
    ['DELETE', store],
    ['POST', `${store}/domains`, { hostname: 'x.example' }],
    ['POST', `${store}/domains/theirs.example/verify`],
    ['DELETE', `${store}/domains/theirs.example`],
    ['PUT', `${store}/products`, [row('theirs.example', 'b')]],
    ['GET', `${store}/products`],
    ['GET', `${store}/products/counts`],
    ['GET', `/products/${product}`],
    ['PATCH', `/products/${product}`, { visible: false }],
    ['DELETE', `/products/${product}`],
    ['POST', `/products/${product}/images`, { images: [{ url: 'https://x.example/x.jpg' }] }],
    ['DELETE', `/images/${image}`],
    ['GET', `${store}/images`],
    ['GET', `${store}/images/failed`],
    ['GET', `${store}/images/progress`],
    ['POST', `${store}/images/retry`],
    ['GET', `/changes/${randomUUID()}`],
  ];
  for (const [method, path, body] of requests)
    expect([method, path, (await ask(method, path, body)).status]).toEqual([method, path, 404]);
  expect((await ask('GET', '/stores')).json.stores.map(({ id }: { id: string }) => id)).toEqual([
    mine.store.id,
  ]);
  expect((await ask('POST', '/merchants', { name: 'x', planCapacity: 1 })).status).toBe(403);
  expect((await ask('PATCH', `/merchants/${mine.id}`, { planCapacity: 1_000 })).status).toBe(403);
  expect((await call(theirs.key, 'GET', `/products/${product}`)).json.state).toBe('active');
});

it('stores nothing that could restore a session', async () => {
  const m = await merchant('hashed.example');
  const { cookie, json } = await signIn(m.key);
  const token = cookie.split('=')[1] ?? '';
  const kept = JSON.stringify(
    await query('select encode(token_hash, $1) as hash, * from console_sessions', ['escape']),
  );
  for (const secret of [token, Buffer.from(token, 'base64url').toString('hex'), m.key, json.csrfToken])
    expect(kept).not.toContain(secret);
});
