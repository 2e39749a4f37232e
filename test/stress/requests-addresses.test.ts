import { describe, expect, it } from 'vitest';
import { type Asked, inParallel } from './support/client.ts';
import { json } from './support/contract.ts';
import { session } from './support/session.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const here = session('odd addresses and headers');

const ask = (asked: Asked) => here.ask(asked);
/** Whether the path of a template matches another template, too: `/page-checks/batch` matches `/page-checks/{id}`. */
const isOneOf = (template: string, other: string) =>
  new RegExp(`^${other.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(template);
const pageUrl = () => here.world.mine.products[0]?.url ?? '';

describe('methods and paths', () => {
  interface OpenApi {
    readonly paths: Record<string, Record<string, unknown>>;
  }
  const METHODS = [
    'GET',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'HEAD',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'MKCOL',
    'QUERY',
  ];

  it('answer a wrong method with 405 and Allow, on every path, with every key', async () => {
    const api = json(await ask({ method: 'GET', path: '/api/v1/openapi.json' })) as unknown as OpenApi;
    expect(Object.keys(api.paths).length).toBeGreaterThan(15);
    for (const [template, operations] of Object.entries(api.paths)) {
      const known = Object.keys(operations).map((method) => method.toUpperCase());
      const taken = Object.entries(api.paths).flatMap(([other, theirs]) =>
        isOneOf(template, other) ? Object.keys(theirs).map((method) => method.toUpperCase()) : [],
      );
      const path = template.replace(/\{[^}]+\}/g, here.world.mine.storeId);
      for (const method of METHODS) {
        if (taken.includes(method) || (method === 'HEAD' && taken.includes('GET'))) continue;
        const answer = await ask({
          method,
          path,
          headers: { authorization: `Bearer ${here.world.mine.key}` },
        });
        const expected = method === 'OPTIONS' ? 204 : 405;
        expect(`${method} ${template} ${answer.status}`).toBe(`${method} ${template} ${expected}`);
        for (const other of known) expect(String(answer.headers.allow)).toContain(other);
      }
    }
  });

  it('refuse anything that is not a UUID with 422, and an unknown one with 404', async () => {
    const odd = [
      'nope',
      '0',
      '%00',
      '%2e%2e',
      '%2F%2e%2e%2Fadmin',
      "';drop%20table%20products;--",
      '{00000000-0000-0000-0000-000000000000}',
      '00000000000000000000000000000000',
      '00000000-0000-0000-0000-00000000000g',
      '00000000-0000-0000-0000-0000000000000',
      `${'a'.repeat(8_000)}`,
      '%F0%9F%98%80',
      '%ED%A0%80',
    ];
    const id = '00000000-0000-4000-8000-000000000000';
    for (const value of [...odd, id, id.toUpperCase(), 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
      const isUuid = /^[0-9a-f-]{36}$/i.test(value) && !value.endsWith('g');
      for (const path of [
        `/api/v1/mc4p/products/${value}/certificate`,
        `/api/v1/mc4p/assets/${value}/certificate`,
        `/api/v1/mc4p/page-checks/${value}`,
        `/api/v1/registry/stores/${value}`,
        `/api/v1/registry/stores/${value}/products`,
        `/api/v1/registry/merchants/${value}`,
        `/api/v1/registry/products/${value}`,
      ]) {
        const answer = await ask({
          method: 'GET',
          path,
          headers: { authorization: `Bearer ${here.world.mine.key}` },
        });
        const allowed = isUuid ? [404] : value === '%ED%A0%80' ? [400, 422] : [422];
        expect(allowed, `${path.slice(0, 120)} ${answer.status}`).toContain(answer.status);
      }
    }
  });

  it.each(['%', '%zz', '%e0%a4', '%c0%ae', 'a%', '%u0041'])(
    'with the malformed percent-encoding %s are 400 or 422, never a crash',
    async (bad) => {
      for (const path of [
        `/api/v1/mc4p/products/${bad}/certificate`,
        `/${bad}`,
        `/api/v1/registry/stores?cursor=${bad}`,
      ]) {
        const answer = await ask({
          method: 'GET',
          path,
          headers: { authorization: `Bearer ${here.world.mine.key}` },
        });
        expect([400, 404, 422], `${path} ${answer.status}`).toContain(answer.status);
      }
    },
  );

  it('accept unusual query strings', async () => {
    const queries = [
      '?',
      '?&&&',
      '?a',
      '?=',
      `?${'a=1&'.repeat(3_000)}`,
      '?limit=1&limit=2',
      '?limit[]=1',
      '?limit=1e2',
      '?limit=%31',
      '?limit=0x10',
      '?limit=+5',
      '?limit=',
      '?%00=1',
      '?limit=5&__proto__=1',
    ];
    for (const query of queries) {
      const answer = await ask({
        method: 'GET',
        path: `/api/v1/registry/stores${query}`,
        headers: { authorization: `Bearer ${here.world.mine.key}` },
      });
      expect([200, 422], `${query.slice(0, 50)} ${answer.status}`).toContain(answer.status);
    }
  });

  it('answer up to 16 KB of headers, and 431 beyond', async () => {
    const path = '/api/v1/.well-known/jwks.json';
    expect((await ask({ method: 'GET', path, headers: { 'x-big': 'x'.repeat(15_000) } })).status).toBe(200);
    for (const headers of [
      { 'x-big': 'x'.repeat(17_000) },
      Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`x-${i}`, 'y'])),
    ]) {
      const answer = await ask({ method: 'GET', path, headers });
      expect([answer.status, json(answer).code]).toEqual([431, 'request_headers_too_large']);
    }
    expect((await ask({ method: 'GET', path: `${path}?${'q'.repeat(15_000)}` })).status).toBe(422);
    expect((await ask({ method: 'GET', path: `${path}?${'q'.repeat(17_000)}` })).status).toBe(431);
    expect((await ask({ method: 'GET', path: `/${'p'.repeat(15_000)}` })).status).toBe(404);
  });
});

describe('headers', () => {
  it('with a request id are used only if they are harmless', async () => {
    const path = '/api/v1/.well-known/jwks.json';
    for (const [given, kept] of [
      ['abc-1', true],
      ['a'.repeat(128), true],
      ['a'.repeat(129), false],
      ['a b', false],
      ['"x"', false],
      ['<script>', false],
      ['\u00e9', false],
    ] as const) {
      const answer = await ask({ method: 'GET', path, headers: { 'x-request-id': given } });
      expect(answer.headers['x-request-id'] === given).toBe(kept);
    }
  });

  it('with any invalid authorization are 401', async () => {
    const odd = [
      '',
      'Bearer',
      'Bearer ',
      'bearer\tx',
      'Basic dXNlcjpwYXNz',
      `Bearer ${'x'.repeat(5_000)}`,
      'Bearer a b',
      'Bearer null',
      `Bearer ${here.world.mine.key},${here.world.mine.key}`,
      here.world.mine.key,
      `Bearer ${here.world.mine.key.toUpperCase()}x`,
      'Bearer \u00e9',
    ];
    await inParallel(odd, 4, async (authorization) => {
      const answer = await ask({
        method: 'GET',
        path: '/api/v1/registry/stores',
        headers: { authorization },
      });
      expect(`${authorization.slice(0, 20)} ${answer.status}`).toBe(`${authorization.slice(0, 20)} 401`);
    });
  });

  it('with any invalid condition are answered in full', async () => {
    const path = `/api/v1/mc4p/products/${here.world.mine.products[0]?.id}/certificate`;
    for (const tag of ['', '"', 'W/', '"a', '*,', `"${'x'.repeat(8_000)}"`, '\u00e9', ',,,,', '"a""b"']) {
      expect((await ask({ method: 'GET', path, headers: { 'if-none-match': tag } })).status).toBe(200);
    }
    expect((await ask({ method: 'GET', path, headers: { 'if-none-match': '*' } })).status).toBe(304);
    for (const range of ['bytes=0-1', 'bytes=-', 'x']) {
      expect(
        (await ask({ method: 'GET', path, headers: { range, 'if-modified-since': 'yesterday' } })).status,
      ).toBe(200);
    }
  });

  it('with any Idempotency-Key are 400 or work as that key', async () => {
    const body = JSON.stringify({ name: 'M', planCapacity: 1 });
    for (const [key, status] of [
      ['', 400],
      ['a b', 400],
      ['x'.repeat(256), 400],
      ['\u00e9', 400],
      ['x'.repeat(255), 201],
      ["';--", 201],
      ['{"a":1}', 201],
    ] as const) {
      const answer = await ask({
        method: 'POST',
        path: '/api/v1/registry/merchants',
        headers: { ...here.asOperator(), 'idempotency-key': key },
        body,
      });
      expect(`${key.slice(0, 9)} ${answer.status}`).toBe(`${key.slice(0, 9)} ${status}`);
    }
  });

  it('with forwarded addresses from untrusted clients have no effect', async () => {
    for (const forwarded of ['1.2.3.4', '::1', 'unknown', ',,,', '"x"', 'a'.repeat(8_000), "1.2.3.4'--"]) {
      const answer = await ask({
        method: 'POST',
        path: here.verifyPath(),
        headers: {
          ...JSON_TYPE,
          'x-forwarded-for': forwarded,
          'x-forwarded-host': 'evil.example',
          forwarded: `for=${forwarded}`,
          'x-http-method-override': 'DELETE',
        },
        body: JSON.stringify({ productUrl: pageUrl() }),
      });
      expect(answer.status).toBe(200);
      expect(answer.body.toString()).not.toContain('evil.example');
    }
  });
});
