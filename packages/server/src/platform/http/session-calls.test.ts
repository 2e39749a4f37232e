import { describe, expect, it } from 'vitest';
import { csrfTokenOf } from './own-page.ts';
import type { Call, Route } from './route.ts';
import { testServer } from './testing.ts';

const TOKEN = 'session-of-m1';
const COOKIE = `__Host-touchstone_session=${TOKEN}`;
const OWN = { origin: 'https://certs.example', 'sec-fetch-site': 'same-origin' };
const CSRF = { 'x-csrf-token': csrfTokenOf(TOKEN) };
const ID = '0b0e7a5c-6d1f-4b4e-9f57-0d4b0f6f2a11';

/** A call that changes something, and the code of the refusal. */
async function create(headers: Record<string, string>, baseUrl = 'https://certs.example') {
  const answer = await testServer({ baseUrl }).app.inject({
    method: 'POST',
    url: '/things',
    headers: { 'content-type': 'application/json', cookie: COOKIE, ...headers },
    payload: '{"name":"a"}',
  });
  return answer.statusCode === 201 ? 201 : answer.json().code;
}

describe('with the cookie of a session', () => {
  it('a call that changes something needs the CSRF token of the session and one of our pages as origin', async () => {
    expect(await create({ ...OWN, ...CSRF })).toBe(201);
    // a browser without Sec-Fetch-Site, and one that omits Origin
    expect(await create({ origin: OWN.origin, ...CSRF })).toBe(201);
    expect(await create({ 'sec-fetch-site': 'same-origin', ...CSRF })).toBe(201);
  });

  it.each([
    ['no token', {}],
    ['an empty one', { 'x-csrf-token': '' }],
    ['another session’s', { 'x-csrf-token': csrfTokenOf('another') }],
    ['the cookie itself', { 'x-csrf-token': TOKEN }],
    ['one that is longer', { 'x-csrf-token': `${csrfTokenOf(TOKEN)}x` }],
  ])('it is refused with %s', async (_, token) => {
    expect(await create({ ...OWN, ...(token as Record<string, string>) })).toBe('csrf_token_wrong');
  });

  it.each([
    ['neither Origin nor Sec-Fetch-Site', {}],
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['an opaque Origin', { origin: 'null' }],
    ['an Origin that begins as ours', { origin: 'https://certs.example.evil.example' }],
    ['our host without TLS', { origin: 'http://certs.example', host: 'certs.example' }],
    ['another port', { origin: 'https://certs.example:8443' }],
    ['a page of a sibling host', { origin: OWN.origin, 'sec-fetch-site': 'same-site' }],
    ['a page of another site', { origin: OWN.origin, 'sec-fetch-site': 'cross-site' }],
    ['an address that was typed in', { 'sec-fetch-site': 'none' }],
  ])('it is refused with the right token and %s', async (_, headers) => {
    expect(await create({ ...CSRF, ...(headers as Record<string, string>) })).toBe('cross_site_refused');
  });

  it('a call that changes nothing needs no token, but still no foreign origin', async () => {
    const read = async (headers: Record<string, string>) =>
      (await testServer().app.inject({ url: '/mine', headers: { cookie: COOKIE, ...headers } })).statusCode;
    expect(await read({})).toBe(200);
    expect(await read({ 'sec-fetch-site': 'none' })).toBe(200);
    expect(await read({ 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await read({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await read({ origin: 'https://evil.example' })).toBe(403);
  });

  it('a key in the header takes precedence, valid or not', async () => {
    expect(await create({ authorization: 'Bearer tsk_merchant' })).toBe(201);
    expect(await create({ authorization: 'Bearer wrong', ...OWN, ...CSRF })).toBe('credentials_invalid');
    expect(await create({ authorization: 'Bearer', ...OWN, ...CSRF })).toBe('credentials_missing');
    // of a proxy before the service
    expect(await create({ authorization: 'Basic abc', ...OWN, ...CSRF })).toBe(201);
  });

  it('an unknown one grants no access, nor do two at once', async () => {
    const cookie = '__Host-touchstone_session=other';
    expect(await create({ ...OWN, ...CSRF, cookie })).toBe('session_missing');
    expect(await create({ ...OWN, ...CSRF, cookie: `${cookie}; ${COOKIE}` })).toBe('credentials_missing');
    // over https the name without the prefix could be set by another host of the domain
    expect(await create({ ...OWN, ...CSRF, cookie: `touchstone_session=${TOKEN}` })).toBe(
      'credentials_missing',
    );
  });

  it('a merchant may do no more than with its key', async () => {
    const answer = await testServer().app.inject({
      method: 'DELETE',
      url: `/things/${ID}`,
      headers: { cookie: COOKIE, ...OWN, ...CSRF },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'forbidden']);
  });

  it('a public call ignores it', async () => {
    const server = testServer();
    await server.app.inject({
      method: 'POST',
      url: `/things/${ID}/verify`,
      headers: { cookie: COOKIE, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
      payload: '{"productUrl":"a"}',
    });
    expect(server.calls[0]?.call.identity).toBeNull();
    expect(server.calls[0]?.call.headers).not.toHaveProperty('cookie');
  });

  it('a public call that knows sessions is answered as to its owner, unless another site makes it', async () => {
    const route = {
      id: 'known',
      method: 'GET',
      path: '/known',
      access: 'public',
      knowsSession: true,
      tag: 'Operations',
      summary: 'For tests',
      replies: {},
      errors: [],
      handle: async (_: unknown, { identity }: Call) => ({ status: 200, body: { role: identity?.role } }),
    } as const satisfies Route;
    const { app } = testServer({ routes: [route] });
    const roleOf = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/known', headers })).json().role;
    // a page of ours, an address that was typed in, an older browser
    for (const headers of [OWN, { 'sec-fetch-site': 'none' }, {}])
      expect(await roleOf({ cookie: COOKIE, ...headers })).toBe('merchant');
    for (const headers of [
      { cookie: COOKIE, 'sec-fetch-site': 'cross-site' },
      { cookie: COOKIE, 'sec-fetch-site': 'same-site' },
      { cookie: COOKIE, origin: 'https://evil.example' },
      { cookie: `${COOKIE}; ${COOKIE}` },
      { cookie: '__Host-touchstone_session=other' },
      { cookie: COOKIE, authorization: 'Bearer wrong' },
      {},
    ])
      expect(await roleOf(headers)).toBeUndefined();
  });

  it('a public call that changes something knows a session by its CSRF token, and anybody else as a stranger', async () => {
    const route = {
      id: 'known',
      method: 'POST',
      path: '/known',
      access: 'public',
      knowsSession: true,
      tag: 'Operations',
      summary: 'For tests',
      replies: {},
      errors: [],
      handle: async (_: unknown, { identity }: Call) => ({ status: 200, body: { role: identity?.role } }),
    } as const satisfies Route;
    const { app } = testServer({ routes: [route] });
    const roleOf = async (headers: Record<string, string>) =>
      (await app.inject({ method: 'POST', url: '/known', headers: { cookie: COOKIE, ...headers } })).json()
        .role;
    expect(await roleOf({ ...OWN, ...CSRF })).toBe('merchant');
    const wrong = Object.fromEntries(Object.keys(CSRF).map((name) => [name, 'x'.repeat(43)]));
    for (const headers of [OWN, { ...OWN, ...wrong }, CSRF, { ...CSRF, 'sec-fetch-site': 'cross-site' }])
      expect(await roleOf(headers)).toBeUndefined();
  });

  it('without TLS the service is its own origin under any name by which it is called', async () => {
    const cookie = `touchstone_session=${TOKEN}`;
    const call = (origin: string) =>
      create({ ...CSRF, cookie, origin, host: 'localhost:8787' }, 'http://127.0.0.1:8787');
    expect(await call('http://localhost:8787')).toBe(201);
    expect(await call('http://127.0.0.1:8787')).toBe(201);
    expect(await call('http://localhost:3000')).toBe('cross_site_refused');
  });

  it('no response allows a script of another origin to use it', async () => {
    const { app } = testServer();
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    for (const [method, url] of [
      ['OPTIONS', '/things'],
      ['OPTIONS', `/things/${ID}/verify`],
      ['GET', `/things/${ID}/certificate`],
      ['GET', '/mine'],
    ] as const) {
      const { headers } = await app.inject({ method, url, headers: preflight });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(headers['access-control-allow-origin'] ?? '*').toBe('*');
    }
    const { headers } = await app.inject({ method: 'OPTIONS', url: '/things', headers: preflight });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});
