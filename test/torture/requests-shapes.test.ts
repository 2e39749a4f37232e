import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, inParallel } from './support/client.ts';
import { type Answer, Tally } from './support/contract.ts';
import { openWorld, type World } from './support/world.ts';

const MB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

let world: World;
const tally = new Tally();

beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  const { faults } = await world.service.told();
  console.info(`odd requests: ${tally.summary()}`);
  await world.close();
  expect(faults).toEqual([]);
  expect(tally.broken).toEqual([]);
});

async function ask(asked: Asked): Promise<Answer> {
  const answer = await world.client.ask(asked);
  tally.note(answer, { ...world.promised, method: asked.method }, `${asked.method} ${asked.path}`);
  expect(world.service.crash()).toBeNull();
  return answer;
}

const json = (answer: Answer) => JSON.parse(answer.body.toString()) as Record<string, unknown>;
const details = (answer: Answer) => json(answer).detail as { loc: unknown[]; type: string }[];
const asOperator = () => ({ ...JSON_TYPE, authorization: `Bearer ${world.service.operatorKey}` });
const verifyPath = () => `/api/v1/mc4p/products/${world.mine.products[0]?.id}/verify`;
const pageUrl = () => world.mine.products[0]?.url ?? '';
const rowsPath = () => `/api/v1/registry/stores/${world.mine.storeId}/products`;

function verify(body: string | Uint8Array, headers: Asked['headers'] = JSON_TYPE): Promise<Answer> {
  return ask({ method: 'POST', path: verifyPath(), headers, body });
}

describe('bodies', () => {
  it('of exactly 1 MB are taken, and of one byte more refused, with the answer read to its end', async () => {
    const around = (size: number) => {
      const start = `{"productUrl":${JSON.stringify(pageUrl())},"document":"`;
      return `${start}${'x'.repeat(size - start.length - 2)}"}`;
    };
    const exact = await verify(around(MB));
    expect(exact.status).toBe(200);
    expect(json(exact).status).toBe('unverified');
    for (const size of [MB + 1, 2 * MB, 20 * MB]) {
      const over = await verify(around(size));
      expect([over.status, json(over).code]).toEqual([413, 'body_too_large']);
    }
  });

  it.each([1_000, 100_000, 400_000])('%d levels deep are judged, not feared', async (depth) => {
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const objects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`.slice(0, MB - 200);
    for (const deep of [nested, objects]) {
      const isWhole = deep.at(-1) === ']' || deep.at(-1) === '}';
      const bare = await verify(deep);
      expect(bare.status).toBe(422);
      const inside = await verify(`{"productUrl":"${pageUrl()}","document":${deep}}`);
      expect(inside.status).toBe(isWhole ? 200 : 422);
      const proof = await verify(
        `{"productUrl":"${pageUrl()}","document":{"proof":{"jwt":"a.b.c"},"x":${deep}}}`,
      );
      expect(proof.status).toBe(isWhole ? 200 : 422);
      const text = await verify(JSON.stringify({ productUrl: pageUrl(), document: deep }));
      if (text.status !== 413) expect(json(text).status).toBe('unverified');
      const rows = await ask({ method: 'PUT', path: rowsPath(), headers: asOperator(), body: `[${deep}]` });
      expect(rows.status).toBe(isWhole ? 200 : 422);
      const field = { name: 'M', planCapacity: 1 };
      const merchant = await ask({
        method: 'POST',
        path: '/api/v1/registry/merchants',
        headers: asOperator(),
        body: JSON.stringify(field).replace('"M"', deep),
      });
      expect(merchant.status).toBe(422);
    }
  });

  it('name every planted fault at once, in path, query and body', async () => {
    const store = await ask({
      method: 'POST',
      path: '/api/v1/registry/stores',
      headers: asOperator(),
      body: JSON.stringify({
        merchantId: 7,
        name: 'a\u0000b',
        url: 'ftp://x',
        platform: 'magento',
        extra: 1,
      }),
    });
    expect(store.status).toBe(422);
    expect(
      details(store)
        .map(({ loc, type }) => `${loc.join('.')} ${type}`)
        .sort(),
    ).toEqual([
      'body.extra extra_forbidden',
      'body.merchantId string_type',
      'body.name value_error',
      'body.platform enum',
      'body.url url_parsing',
    ]);
    const list = await ask({
      method: 'GET',
      path: `/api/v1/registry/stores/nope/products?limit=x&state=lost&cursor=${'c'.repeat(101)}`,
      headers: asOperator(),
    });
    expect(
      details(list)
        .map(({ loc }) => loc.join('.'))
        .sort(),
    ).toEqual(['path.store_id', 'query.cursor', 'query.limit', 'query.state']);
  });

  it('with lone surrogates and NUL in our own fields are refused, and in a document are not', async () => {
    for (const bad of ['\\ud800', '\\udc00x', 'a\\u0000b']) {
      const ours = await verify(`{"productUrl":"https://mine.example/${bad}"}`);
      expect(ours.status).toBe(422);
      expect(details(ours)).toHaveLength(1);
      const document = `{"productUrl":"${pageUrl()}","document":{"@type":"${bad}","${bad}":1,"proof":{"jwt":"${bad}"}}}`;
      expect((await verify(document)).status).toBe(200);
      const check = await ask({
        method: 'POST',
        path: '/api/v1/mc4p/page-checks',
        headers: JSON_TYPE,
        body: `{"url":"https://mine.example/${bad}"}`,
      });
      expect(check.status).toBe(422);
      const [row] = (json(
        await ask({
          method: 'PUT',
          path: rowsPath(),
          headers: asOperator(),
          body: `[{"externalProductId":"${bad}","name":"${bad}","url":"http://mine.example/x"}]`,
        }),
      ).results ?? []) as { status: string; errors: unknown[] }[];
      expect(row?.status).toBe('error');
      expect(row?.errors).toHaveLength(2);
    }
  });

  it('cannot reach a prototype', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const body = `{"productUrl":"${pageUrl()}","${name}":{"polluted":true},"document":{"${name}":{"polluted":true}}}`;
      expect((await verify(body)).status).toBe(200);
      const merchant = await ask({
        method: 'POST',
        path: '/api/v1/registry/merchants',
        headers: asOperator(),
        body: `{"name":"M","planCapacity":1,"${name}":{"polluted":true}}`,
      });
      expect(details(merchant)).toMatchObject([{ loc: ['body', name], type: 'extra_forbidden' }]);
      const path = await ask({ method: 'GET', path: `/api/v1/mc4p/products/${name}/certificate` });
      expect(path.status).toBe(422);
      const query = await ask({
        method: 'GET',
        path: `/api/v1/registry/stores?${name}=1&${name}[x]=1`,
        headers: asOperator(),
      });
      expect(query.status).toBe(200);
    }
    const clean = json(await verify(JSON.stringify({ productUrl: pageUrl() })));
    expect(clean.polluted).toBeUndefined();
  });

  it.each([
    ['', 'json_invalid'],
    ['  ', 'json_invalid'],
    ['{"productUrl":', 'json_invalid'],
    ["{'productUrl':'x'}", 'json_invalid'],
    ['{"productUrl":"x",}', 'json_invalid'],
    ['NaN', 'json_invalid'],
    ['null', 'dict_type'],
    ['[]', 'dict_type'],
    ['"{}"', 'dict_type'],
    ['1e400', 'dict_type'],
    ['{}', 'missing'],
    ['{"productUrl":1e400}', 'string_type'],
    ['{"productUrl":null}', 'string_type'],
    ['{"productUrl":["x"]}', 'string_type'],
  ])('%j are told as %s', async (body, type) => {
    const answer = await verify(body);
    expect(answer.status).toBe(422);
    expect(details(answer).map((entry) => entry.type)).toEqual([type]);
  });

  it('of a hundred thousand faults are answered with a bounded list that says how many more', async () => {
    const body = `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join()}}`;
    const answer = await ask({
      method: 'POST',
      path: '/api/v1/registry/merchants',
      headers: asOperator(),
      body,
    });
    expect(answer.status).toBe(422);
    expect(details(answer).at(-1)?.type).toBe('too_many_faults');
    expect(answer.body.length).toBeLessThan(MB);
  });
});

describe('Content-Type', () => {
  const BODY = () => JSON.stringify({ productUrl: pageUrl() });
  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json;',
    'application/json;;',
    'application/json\t; charset=utf-8',
    ' application/json ',
    'application/json; profile="a;b\\"c"',
  ])('%j is JSON', async (type) => {
    expect((await verify(BODY(), { 'content-type': type })).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=utf-16; charset=utf-8',
    'application/json charset=utf-8',
    'application/jsonx',
    'application/ json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset="utf-8',
    'application/x-ndjson',
    '',
    ';',
    '/',
    '*/*',
  ])('%j is not', async (type) => {
    const answer = await verify(BODY(), { 'content-type': type });
    expect([answer.status, json(answer).code]).toEqual([415, 'unsupported_media_type']);
  });

  it('said twice counts once or is refused, but breaks nothing', async () => {
    const twice = await verify(BODY(), { 'content-type': ['application/json', 'text/plain'] as never });
    expect([200, 415]).toContain(twice.status);
  });

  it('missing under a body is refused, and a compressed body too', async () => {
    expect((await verify(BODY(), {})).status).toBe(415);
    const zipped = await verify(BODY(), { ...JSON_TYPE, 'content-encoding': 'gzip' });
    expect(zipped.status).toBe(415);
    expect((await verify(BODY(), { ...JSON_TYPE, 'content-encoding': 'identity' })).status).toBe(200);
  });
});

describe('methods and addresses', () => {
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
      const path = template.replace(/\{[^}]+\}/g, world.mine.storeId);
      for (const method of METHODS) {
        if (known.includes(method) || (method === 'HEAD' && known.includes('GET'))) continue;
        const answer = await ask({ method, path, headers: { authorization: `Bearer ${world.mine.key}` } });
        const expected = method === 'OPTIONS' ? 204 : 405;
        expect(`${method} ${template} ${answer.status}`).toBe(`${method} ${template} ${expected}`);
        for (const other of known) expect(String(answer.headers.allow)).toContain(other);
      }
    }
  });

  it('refuse what is no UUID with 422, whatever it is, and an unknown one with 404', async () => {
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
          headers: { authorization: `Bearer ${world.mine.key}` },
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
          headers: { authorization: `Bearer ${world.mine.key}` },
        });
        expect([400, 404, 422], `${path} ${answer.status}`).toContain(answer.status);
      }
    },
  );

  it('take odd query strings', async () => {
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
        headers: { authorization: `Bearer ${world.mine.key}` },
      });
      expect([200, 422], `${query.slice(0, 50)} ${answer.status}`).toContain(answer.status);
    }
  });

  it('at the edge of 16 KB of headers answer, and beyond it 431', async () => {
    const path = '/api/v1/.well-known/jwks.json';
    expect((await ask({ method: 'GET', path, headers: { 'x-big': 'x'.repeat(15_000) } })).status).toBe(200);
    for (const headers of [
      { 'x-big': 'x'.repeat(17_000) },
      Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`x-${i}`, 'y'])),
    ]) {
      const answer = await ask({ method: 'GET', path, headers });
      expect([answer.status, json(answer).code]).toEqual([431, 'request_headers_too_large']);
    }
    expect((await ask({ method: 'GET', path: `${path}?${'q'.repeat(15_000)}` })).status).toBe(200);
    expect((await ask({ method: 'GET', path: `${path}?${'q'.repeat(17_000)}` })).status).toBe(431);
    expect((await ask({ method: 'GET', path: `/${'p'.repeat(15_000)}` })).status).toBe(404);
  });
});

describe('headers', () => {
  it('that name the request are taken only where they are harmless', async () => {
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

  it('of authorization of every odd kind are 401', async () => {
    const odd = [
      '',
      'Bearer',
      'Bearer ',
      'bearer\tx',
      'Basic dXNlcjpwYXNz',
      `Bearer ${'x'.repeat(5_000)}`,
      'Bearer a b',
      'Bearer null',
      `Bearer ${world.mine.key},${world.mine.key}`,
      world.mine.key,
      `Bearer ${world.mine.key.toUpperCase()}x`,
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

  it('of conditional requests of every odd kind are answered in full', async () => {
    const path = `/api/v1/mc4p/products/${world.mine.products[0]?.id}/certificate`;
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

  it('of idempotency of every odd kind are 400 or work as the key they are', async () => {
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
        headers: { ...asOperator(), 'idempotency-key': key },
        body,
      });
      expect(`${key.slice(0, 9)} ${answer.status}`).toBe(`${key.slice(0, 9)} ${status}`);
    }
  });

  it('of forwarding from nobody trusted change nothing', async () => {
    for (const forwarded of ['1.2.3.4', '::1', 'unknown', ',,,', '"x"', 'a'.repeat(8_000), "1.2.3.4'--"]) {
      const answer = await ask({
        method: 'POST',
        path: verifyPath(),
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
