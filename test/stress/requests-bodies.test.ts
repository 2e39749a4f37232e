import { describe, expect, it } from 'vitest';
import type { Asked } from './support/client.ts';
import { type Answer, json } from './support/contract.ts';
import { session } from './support/session.ts';

const MB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const here = session('odd bodies');

const ask = (asked: Asked) => here.ask(asked);
const details = (answer: Answer) => json(answer).detail as { loc: unknown[]; type: string }[];
const pageUrl = () => here.world.mine.products[0]?.url ?? '';
const rowsPath = () => `/api/v1/registry/stores/${here.world.mine.storeId}/products`;

function verify(body: string | Uint8Array, headers: Asked['headers'] = JSON_TYPE): Promise<Answer> {
  return ask({ method: 'POST', path: here.verifyPath(), headers, body });
}

describe('bodies', () => {
  it('of exactly 1 MB are accepted, and of one byte more refused, with the response read to its end', async () => {
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

  it.each([1_000, 100_000, 400_000])('%d levels deep are judged without a crash', async (depth) => {
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
      const rows = await ask({
        method: 'PUT',
        path: rowsPath(),
        headers: here.asOperator(),
        body: `[${deep}]`,
      });
      expect(rows.status).toBe(isWhole ? 200 : 422);
      const field = { name: 'M', planCapacity: 1 };
      const merchant = await ask({
        method: 'POST',
        path: '/api/v1/registry/merchants',
        headers: here.asOperator(),
        body: JSON.stringify(field).replace('"M"', deep),
      });
      expect(merchant.status).toBe(422);
    }
  });

  it('name every planted fault at once, in path, query and body', async () => {
    const store = await ask({
      method: 'POST',
      path: '/api/v1/registry/stores',
      headers: here.asOperator(),
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
        .toSorted(),
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
      headers: here.asOperator(),
    });
    expect(
      details(list)
        .map(({ loc }) => loc.join('.'))
        .toSorted(),
    ).toEqual(['path.store_id', 'query.cursor', 'query.limit', 'query.state']);
  });

  it('with lone surrogates and NUL are refused in our own fields, and accepted in a document', async () => {
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
          headers: here.asOperator(),
          body: `[{"externalProductId":"${bad}","name":"${bad}","url":"http://mine.example/x"}]`,
        }),
      ).results ?? []) as { status: string; errors: unknown[] }[];
      expect(row?.status).toBe('error');
      expect(row?.errors).toHaveLength(2);
    }
  });

  it('cannot change a prototype', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const body = `{"productUrl":"${pageUrl()}","${name}":{"polluted":true},"document":{"${name}":{"polluted":true}}}`;
      expect((await verify(body)).status).toBe(200);
      const merchant = await ask({
        method: 'POST',
        path: '/api/v1/registry/merchants',
        headers: here.asOperator(),
        body: `{"name":"M","planCapacity":1,"${name}":{"polluted":true}}`,
      });
      expect(details(merchant)).toMatchObject([{ loc: ['body', name], type: 'extra_forbidden' }]);
      const path = await ask({ method: 'GET', path: `/api/v1/mc4p/products/${name}/certificate` });
      expect(path.status).toBe(422);
      const query = await ask({
        method: 'GET',
        path: `/api/v1/registry/stores?${name}=1&${name}[x]=1`,
        headers: here.asOperator(),
      });
      expect(details(query)).toMatchObject([
        { loc: ['query', name], type: 'extra_forbidden' },
        { loc: ['query', `${name}[x]`], type: 'extra_forbidden' },
      ]);
    }
    const clean = json(await verify(JSON.stringify({ productUrl: pageUrl() })));
    expect(clean.polluted).toBeUndefined();
  });

  it.each([
    ['', 'missing'],
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
  ])('%j are reported as %s', async (body, type) => {
    const answer = await verify(body);
    expect(answer.status).toBe(422);
    expect(details(answer).map((entry) => entry.type)).toEqual([type]);
  });

  it('with a hundred thousand faults are answered with a limited list that says how many more', async () => {
    const body = `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join()}}`;
    const answer = await ask({
      method: 'POST',
      path: '/api/v1/registry/merchants',
      headers: here.asOperator(),
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

  it('repeated counts once or is refused, without a crash', async () => {
    const twice = await verify(BODY(), { 'content-type': ['application/json', 'text/plain'] as never });
    expect([200, 415]).toContain(twice.status);
  });

  it('missing with a body is refused, and a compressed body too', async () => {
    expect((await verify(BODY(), {})).status).toBe(415);
    const zipped = await verify(BODY(), { ...JSON_TYPE, 'content-encoding': 'gzip' });
    expect(zipped.status).toBe(415);
    expect((await verify(BODY(), { ...JSON_TYPE, 'content-encoding': 'identity' })).status).toBe(200);
  });
});
