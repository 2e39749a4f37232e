import { describe, expect, test } from 'vitest';
import type { Route } from './route.ts';
import { JSON_TYPE, THING_ID, testServer, verify } from './testing.ts';

describe('every fault except validation is a problem document', () => {
  test('an unknown address: 404 with code, link and request id, never cached', async () => {
    const answer = await testServer().app.inject('/nothing/here');
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      type: 'https://certs.example/docs/codes#route_unknown',
      title: 'Not Found',
      status: 404,
      detail: 'There is nothing at this address; /docs lists all calls.',
      code: 'route_unknown',
      requestId: answer.headers['x-request-id'],
    });
  });

  test('a bug: 500 without its cause, which is in the log', async () => {
    const server = testServer();
    const answer = await server.app.inject('/fail/bug');
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('secret detail');
    expect(answer.headers['cache-control']).toBe('no-store');
    const line = server.log.find((text) => text.includes('secret detail of a bug'));
    expect(line).toContain(String(answer.headers['x-request-id']));
  });

  test('more requests than can be answered: 503 with Retry-After and no line in the log', async () => {
    const ended: string[] = [];
    const load = {
      admit: () => false,
      done: () => void ended.push('done'),
      lateSince: () => 0,
      watch: () => {},
      close() {},
    };
    const server = testServer({ load });
    const answer = await server.app.inject('/nothing/here');
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' });
    expect(answer.json()).toMatchObject({ code: 'overloaded' });
    expect(server.log.filter((line) => line.includes('overloaded'))).toEqual([]);
    expect(ended).toEqual([]);
  });

  test('a failure of ours: 503 with Retry-After', async () => {
    const answer = await testServer().app.inject('/fail/away');
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.json().code).toBe('database_unavailable');
  });

  test('a limit: 429 with the seconds to wait, rounded up', async () => {
    const answer = await testServer().app.inject('/fail/limited');
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '8']);
  });

  test('an unsupported method: 405 with Allow', async () => {
    const server = testServer();
    for (const method of ['POST', 'DELETE', 'TRACE', 'PUT'] as const) {
      const answer = await server.app.inject({ method, url: `/things/${THING_ID}/certificate` });
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(answer.json().code).toBe('method_not_allowed');
    }
  });

  test.each(['/%', '/nowhere/%ff', '/things/%zz/verify'])(
    'malformed percent-encoding %s in an unknown path: 400',
    async (url) => {
      const answer = await testServer().app.inject(url);
      expect(answer.statusCode).toBe(400);
      expect(answer.headers['content-type']).toBe('application/problem+json');
    },
  );
});

test('a page that cannot be rendered is a fault, told once and without that page', async () => {
  const route: Route = {
    id: 'paged',
    method: 'GET',
    path: '/paged',
    access: 'public',
    page: true,
    tag: 'Operations',
    summary: 'For tests',
    replies: {},
    errors: [],
    handle: () => ({ status: 200, body: {} }),
    pageOf: () => {
      throw new Error('an older build has no such page');
    },
  };
  const server = testServer({ routes: [route] });
  const answer = await server.app.inject({ url: '/paged', headers: { accept: 'text/html' } });
  expect([answer.statusCode, answer.json().code]).toEqual([500, 'internal']);
  expect(server.log.filter((line) => line.includes('an older build'))).toHaveLength(1);
});

describe('validation', () => {
  test.each(['%zz', '%', '%ff', 'a%E0%A4%A', '%ED%A0%80', '%c0%ae'])(
    'malformed percent-encoding %s of a parameter is a validation fault',
    async (id) => {
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await testServer().app.inject({ method, url: `/things/${id}/certificate?x=%ff` });
        expect(answer.statusCode).toBe(422);
        expect(answer.headers['content-type']).toBe('application/json');
        expect(answer.headers['access-control-allow-origin']).toBe('*');
      }
      const { app } = testServer();
      expect((await app.inject(`/things/${id}/certificate`)).json()).toEqual({
        detail: [
          { loc: ['path', 'thing_id'], msg: 'Input should be percent-encoded UTF-8', type: 'string_unicode' },
        ],
      });
      const erase = (key: string) =>
        app.inject({ method: 'DELETE', url: `/things/${id}`, headers: { authorization: `Bearer ${key}` } });
      expect((await erase('tsk_operator')).statusCode).toBe(422);
      expect((await erase('tsk_merchant')).statusCode).toBe(403);
      expect((await app.inject({ method: 'DELETE', url: `/things/${id}` })).statusCode).toBe(401);
    },
  );

  test('faults of path and body are reported together, as 422 with detail', async () => {
    const answer = await testServer().app.inject({
      method: 'POST',
      url: '/things/nope/verify',
      payload: '{}',
      headers: JSON_TYPE,
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json().detail.map((d: { loc: unknown; type: string }) => [d.loc, d.type])).toEqual([
      [['path', 'thing_id'], 'uuid_parsing'],
      [['body', 'productUrl'], 'missing'],
    ]);
  });

  test('an overlong parameter is a validation fault, not an unknown address', async () => {
    const answer = await testServer().app.inject(`/things/${'x'.repeat(5000)}/certificate`);
    expect(answer.statusCode).toBe(422);
  });

  test('NUL in a path parameter is refused', async () => {
    expect((await testServer().app.inject('/fail/a%00b')).statusCode).toBe(422);
  });

  test.each([
    ['no body', ''],
    ['not JSON', '{"productUrl":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['deep nesting', `{"productUrl":${'['.repeat(1000)}${']'.repeat(1000)}}`],
    ['a lone surrogate', '{"productUrl":"\\ud800"}'],
    ['NUL', '{"productUrl":"\\u0000"}'],
  ])('%s is 422, never 500', async (_, payload) => {
    expect((await verify(testServer(), payload)).statusCode).toBe(422);
  });

  test.each([
    ['a byte order mark', '\ufeff{"productUrl":"a"}'],
    ['duplicate names', '{"productUrl":"b","productUrl":"a"}'],
    [
      '__proto__ and constructor',
      '{"productUrl":"a","__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}',
    ],
    ['anything in a document', '{"productUrl":"a","document":{"deep":"\\ud800\\u0000"}}'],
    ['a document 1,000 levels deep', `{"productUrl":"a","document":${'['.repeat(1000)}${']'.repeat(1000)}}`],
  ])('%s is accepted', async (_, payload) => {
    const answer = await verify(testServer(), payload);
    expect([answer.statusCode, answer.json()]).toEqual([200, { got: 'a' }]);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('bodies', () => {
  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=UTF-8',
    'application/json\t; a=b',
  ])('Content-Type %j is accepted', async (type) => {
    expect((await verify(testServer(), '{"productUrl":"a"}', { 'content-type': type })).statusCode).toBe(200);
  });

  test.each([
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/x-www-form-urlencoded' }],
    [{ 'content-type': 'application/json; charset=latin1' }],
    [{ 'content-type': 'json' }],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    [{ 'content-type': 'application/x-ndjson' }],
  ] as Record<string, string>[][])('%j is 415', async (headers) => {
    const answer = await verify(testServer(), '{"productUrl":"a"}', headers);
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'unsupported_media_type']);
  });

  test('over 1 MB is 413, and an operation may have its own limit', async () => {
    const server = testServer();
    const large = await verify(server, `{"productUrl":"${'a'.repeat(1024 * 1024)}"}`);
    expect([large.statusCode, large.json().code]).toEqual([413, 'body_too_large']);
    const exact = `{"productUrl":"${'a'.repeat(1024 * 1024 - 17)}"}`;
    expect(Buffer.byteLength(exact)).toBe(1024 * 1024);
    expect((await verify(server, exact)).statusCode).toBe(200);
    const own = await server.app.inject({
      method: 'POST',
      url: '/things',
      payload: `{"name":"${'a'.repeat(100)}"}`,
      headers: { ...JSON_TYPE, authorization: 'Bearer tsk_merchant' },
    });
    expect(own.statusCode).toBe(413);
  });

  test('NDJSON reaches the handler as a stream, if the operation accepts it', async () => {
    const answer = await testServer().app.inject({
      method: 'PUT',
      url: '/rows',
      payload: '{"a":1}\n{"a":2}\n',
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(answer.json()).toEqual({ bytes: 16 });
  });

  test('a response can be streamed', async () => {
    expect((await testServer().app.inject('/stream')).body).toBe('{"a":1}\n{"a":2}\n');
  });

  test('HEAD for a streamed response returns the length, and nothing of it is read', async () => {
    const server = testServer();
    const head = await server.app.inject({ method: 'HEAD', url: '/stream' });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '16']);
    expect(server.calls).toEqual([]);
  });
});

describe('public GETs', () => {
  test('bytes are sent unchanged, with HEAD, any origin and request id', async () => {
    const server = testServer();
    const url = `/things/${THING_ID}/certificate`;
    const get = await server.app.inject(url);
    expect([get.statusCode, get.body, get.headers['content-type']]).toEqual([
      200,
      '{"thing":true}',
      'application/json',
    ]);
    expect(get.headers['access-control-allow-origin']).toBe('*');
    const head = await server.app.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '14']);
    expect(head.headers.etag).toBe('"abc"');
  });

  test.each([
    ['"abc"', 304],
    ['W/"abc"', 304],
    ['"x", "abc"', 304],
    ['*', 304],
    ['"abcd"', 200],
    ['abc', 200],
  ])('If-None-Match %s → %i', async (tag, status) => {
    const answer = await testServer().app.inject({
      url: `/things/${THING_ID}/certificate`,
      headers: { 'if-none-match': tag },
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers.etag).toBe('"abc"');
    expect(answer.headers['cache-control']).toBe('public, max-age=86400');
    if (status === 304) expect(answer.body).toBe('');
  });

  test('preflight is answered if any origin may call, and only then', async () => {
    const server = testServer();
    const open = await server.app.inject({
      method: 'OPTIONS',
      url: `/things/${THING_ID}/verify`,
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    });
    expect(open.statusCode).toBe(204);
    expect(open.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringContaining('Content-Type'),
    });
    const closed = await server.app.inject({ method: 'OPTIONS', url: '/things' });
    expect([closed.statusCode, closed.headers.allow]).toEqual([204, 'POST, OPTIONS']);
    expect(closed.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('faults are readable across origins too', async () => {
    const answer = await testServer().app.inject('/things/nope/certificate');
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([422, '*']);
  });
});

describe('every request can be traced', () => {
  test('a valid request id is kept, another one replaced', async () => {
    const server = testServer();
    const id = async (given: string) =>
      (await server.app.inject({ url: '/fail/none', headers: { 'x-request-id': given } })).headers[
        'x-request-id'
      ];
    expect(await id('abc-123')).toBe('abc-123');
    expect(await id('a b"<script>')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id('x'.repeat(200))).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('one log line and one metric per request, named by its operation', async () => {
    const server = testServer();
    const answer = await server.app.inject('/fail/none?token=secret');
    await server.app.inject('/nothing');
    const lines = server.log.map((line) => JSON.parse(line)).filter((line) => line.msg === 'request');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({
      operation: 'fail',
      status: 422,
      path: '/fail/none',
      requestId: answer.headers['x-request-id'],
    });
    expect(server.records.map((r) => [r.operation, r.status])).toEqual([
      ['fail', 422],
      ['unrouted', 404],
    ]);
    expect(server.records.every((r) => r.seconds > 0)).toBe(true);
  });
});
