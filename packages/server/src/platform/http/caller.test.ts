import { describe, expect, test } from 'vitest';
import { JSON_TYPE, type TestServer, THING_ID, testServer, verify } from './testing.ts';

function create(server: TestServer, headers: Record<string, string>, name = 'a') {
  const payload = JSON.stringify({ name });
  return server.app.inject({
    method: 'POST',
    url: '/things',
    payload,
    headers: { ...JSON_TYPE, ...headers },
  });
}

function remove(key: string) {
  const headers = { authorization: `Bearer ${key}` };
  return testServer().app.inject({ method: 'DELETE', url: `/things/${THING_ID}`, headers });
}

describe('identifying the caller', () => {
  test('a call without the required key is refused with the scheme to use', async () => {
    const server = testServer();
    const none = await create(server, {});
    expect([none.statusCode, none.json().code]).toEqual([401, 'credentials_missing']);
    expect(none.headers['www-authenticate']).toMatch(/^Bearer/);
    expect((await create(server, { authorization: 'Basic abc' })).json().code).toBe('credentials_missing');
    expect((await create(server, { authorization: 'Bearer wrong' })).json().code).toBe('credentials_invalid');
    expect((await create(server, { authorization: 'bearer tsk_merchant' })).statusCode).toBe(201);
  });

  test('a merchant key cannot do what operators can', async () => {
    expect((await remove('tsk_merchant')).statusCode).toBe(403);
    expect((await remove('tsk_operator')).statusCode).toBe(204);
  });

  test('callers are distinguished by key, or else by address', async () => {
    const server = testServer();
    await verify(server, '{"productUrl":"a"}', { ...JSON_TYPE, authorization: 'Bearer tsk_merchant' });
    await verify(server, '{"productUrl":"a"}', { ...JSON_TYPE, authorization: 'Bearer unknown' });
    await verify(server, '{"productUrl":"a"}', { ...JSON_TYPE, 'x-forwarded-for': '198.51.100.7' });
    expect(server.calls.map(({ call }) => call.caller)).toEqual([
      'merchant:merchant-1/key:m1',
      'ip:127.0.0.1',
      'ip:198.51.100.7',
    ]);
  });

  test('a forwarded header from an untrusted address is ignored, with one warning', async () => {
    const server = testServer({ trustProxy: [] });
    for (let i = 0; i < 3; i++) {
      await verify(server, '{"productUrl":"a"}', { ...JSON_TYPE, 'x-forwarded-for': '198.51.100.7' });
    }
    expect(new Set(server.calls.map(({ call }) => call.caller))).toEqual(new Set(['ip:127.0.0.1']));
    expect(server.log.filter((line) => line.includes('X-Forwarded-For'))).toHaveLength(1);
  });

  test('neither a handler nor the log sees the credentials', async () => {
    const server = testServer();
    await create(server, { authorization: 'Bearer tsk_merchant' });
    expect(server.calls[0]?.call.headers).not.toHaveProperty('authorization');
    expect(server.log.join('')).not.toContain('tsk_merchant');
  });

  test('with an Idempotency-Key a POST runs once, and its response is replayed to the same caller', async () => {
    const server = testServer();
    const headers = { authorization: 'Bearer tsk_merchant', 'idempotency-key': 'k1' };
    const first = await create(server, headers);
    const again = await create(server, headers);
    expect(again.json()).toEqual(first.json());
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect(server.calls).toHaveLength(1);
    const other = await create(server, headers, 'b');
    expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_key_reused']);
    expect((await create(server, { ...headers, authorization: 'Bearer tsk_operator' })).statusCode).toBe(201);
  });

  test('a request that failed may be repeated with its key', async () => {
    const server = testServer();
    const headers = { authorization: 'Bearer tsk_merchant', 'idempotency-key': 'k1' };
    expect((await create(server, headers, 'conflict')).statusCode).toBe(409);
    expect((await create(server, headers, 'conflict')).statusCode).toBe(409);
    expect(server.calls).toHaveLength(2);
  });
});
