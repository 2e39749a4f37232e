import { ValidationErrorSchema } from '@touchstone/certificate/schema';
import { EVENTS } from '@touchstone/contract';
import { beforeAll, describe, expect } from 'vitest';
import { testDatabase } from '../../packages/server/src/platform/database/testing.ts';
import { testService, throughProxy } from '../../packages/server/src/testing.ts';
import { PRESENT_OPERATIONS } from '../kit/present-parts.ts';
import { covers, scenario } from '../kit/scenario.ts';
import { type Answer, type Json, useScene } from '../kit/service.ts';

const V1 = '/api/v1/mc4p';
const UNKNOWN = '9b2f7c1e-3a4d-4c6b-8f10-5d6e7a8b9c0d';

const scene = await useScene();
const kettle = await (await scene.store('shop.example')).product('kettle');

interface Fault {
  readonly loc: unknown[];
  readonly msg: string;
  readonly type: string;
}

function faultsOf({ status, json }: Answer): Fault[] {
  expect(status).toBe(422);
  expect(ValidationErrorSchema.parse(json)).toEqual(json);
  return json.detail as Fault[];
}

describe('malformed requests', () => {
  scenario(
    'a path parameter that is not a UUID: 422',
    covers('EP1-422', 'EP2-422', 'EP3-422', 'ERR-422', 'VE-SHAPE'),
    async () => {
      const answers = [
        await scene.call('GET', `${V1}/products/kettle/certificate`),
        await scene.call('GET', `${V1}/assets/7/certificate`),
        await scene.call('POST', `${V1}/products/${UNKNOWN}x/verify`, { productUrl: kettle.url }),
      ];
      const names = ['product_id', 'asset_id', 'product_id'];
      for (const [index, answer] of answers.entries()) {
        expect(faultsOf(answer)).toEqual([
          expect.objectContaining({
            loc: ['path', names[index]],
            type: 'uuid_parsing',
            msg: expect.stringMatching(/./),
          }),
        ]);
      }
    },
  );

  scenario('productUrl or url missing: 422', covers('EP3-PRODUCTURL', 'EP4-URL', 'ERR-422'), async () => {
    const verify = await scene.call('POST', `${V1}/products/${kettle.id}/verify`, {});
    const check = await scene.call('POST', `${V1}/page-checks`, {});
    expect(faultsOf(verify)).toEqual([
      expect.objectContaining({ loc: ['body', 'productUrl'], type: 'missing' }),
    ]);
    expect(faultsOf(check)).toEqual([expect.objectContaining({ loc: ['body', 'url'], type: 'missing' })]);
  });

  scenario('a url that is not a web address: 422, also in a batch', covers('EP4-URL'), async () => {
    const fault = { type: 'url_parsing', msg: 'Input should be an absolute http or https URL' };
    for (const url of ['junk', '', 'shop.example/cup', '//shop.example', 'ftp://shop.example/', 'http://']) {
      const check = await scene.call('POST', `${V1}/page-checks`, { url });
      expect([url, faultsOf(check)]).toEqual([
        url,
        [expect.objectContaining({ ...fault, loc: ['body', 'url'] })],
      ]);
    }
    const items = [{ url: 'http://127.0.0.1/' }, { url: 'junk' }];
    const { json } = await scene.call('POST', `${V1}/page-checks/batch`, { items });
    expect(json.results).toMatchObject([
      { status: 200, result: { verdict: 'page_fetch_failed' } },
      { status: 422, problem: { detail: [{ ...fault, loc: ['body', 'items', 1, 'url'] }] } },
    ]);
  });

  scenario('an unknown query name: 422', covers('VE-QUERY'), async () => {
    const authorization = `Bearer ${scene.service.operatorKey}`;
    const told = async (path: string, method = 'GET', body?: unknown) => {
      const found = faultsOf(await scene.call(method, path, body, { authorization }));
      return found
        .filter(({ loc: [part], type }) => part === 'query' && type !== 'missing')
        .map(({ loc, type, msg }) => [loc, type, msg]);
    };
    for (const operation of PRESENT_OPERATIONS.filter(
      // a session is for a browser's page; other clients are rejected before the query is read
      ({ anyQuery, path }) => anyQuery !== true && path !== '/console/session',
    )) {
      const path = operation.path.replace(/\{[^}]+\}/g, UNKNOWN);
      const body = operation.body === undefined ? undefined : {};
      expect([operation.id, await told(`${path}?zzzzzz=x`, operation.method, body)]).toEqual([
        operation.id,
        [[['query', 'zzzzzz'], 'extra_forbidden', 'Extra inputs are not permitted']],
      ]);
    }
    const certificate = `${V1}/products/${kettle.id}/certificate`;
    expect((await scene.call('GET', certificate)).status).toBe(200);
    expect(await told(`${certificate}?full=true`)).toHaveLength(1);
    expect(await told('/api/v1/registry/merchants?limt=5&cursr=x')).toEqual([
      [['query', 'limt'], 'extra_forbidden', "Extra inputs are not permitted; did you mean 'limit'?"],
      [['query', 'cursr'], 'extra_forbidden', "Extra inputs are not permitted; did you mean 'cursor'?"],
    ]);
    for (const path of ['/healthz', '/readyz', '/metrics', '/docs', '/llms.txt'])
      expect((await scene.call('GET', `${path}?utm_source=x`)).status).toBe(200);
  });

  scenario('all faults at once', covers('VE-ALL'), async () => {
    const check = await scene.call('POST', `${V1}/page-checks`, { url: 7, freshness: 'new' });
    expect(faultsOf(check).map(({ loc }) => loc)).toEqual([
      ['body', 'url'],
      ['body', 'freshness'],
    ]);
    const verify = await scene.call('POST', `${V1}/products/x/verify`, { document: {} });
    expect(faultsOf(verify).map(({ loc, type }) => [...loc, type])).toEqual([
      ['path', 'product_id', 'uuid_parsing'],
      ['body', 'productUrl', 'missing'],
    ]);
  });

  scenario('a body that is not JSON: 422 with the position', covers('VE-ALL', 'EP-JSON'), async () => {
    const answer = await scene.call('POST', `${V1}/page-checks`, '{"url": ');
    expect(faultsOf(answer)).toEqual([expect.objectContaining({ type: 'json_invalid' })]);
    const other = await scene.call('POST', `${V1}/page-checks`, 'url=x', { 'content-type': 'text/plain' });
    expect([other.status, other.json.code]).toEqual([415, 'unsupported_media_type']);
  });

  scenario('a body over 1 MB: 413; a proof over 8 KB: not valid', covers('LIMIT-SIZES'), async () => {
    const path = `${V1}/products/${kettle.id}/verify`;
    const large = await scene.call('POST', path, { productUrl: kettle.url, document: 'x'.repeat(1_100_000) });
    expect([large.status, large.json.code]).toEqual([413, 'body_too_large']);
    const proof = { jwt: `${'x'.repeat(8192)}.y` };
    const result = await scene.verify(kettle.id, { productUrl: kettle.url, document: { proof } });
    expect(result.status).toBe('failed');
    expect(result.errors).toEqual([expect.stringMatching(/^proof_too_large: /)]);
  });
});

describe('errors other than validation', () => {
  scenario('are problem documents', covers('ERR-BODY', 'ERR-404'), async () => {
    const { status, headers, json } = await scene.call('GET', `${V1}/products/${UNKNOWN}/certificate`);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(json).toEqual({
      type: expect.stringMatching(/\/docs\/codes#product_unknown$/),
      title: 'Not Found',
      status,
      detail: 'No certificate is served for this product.',
      code: 'product_unknown',
      requestId: expect.stringMatching(/./),
    });
    expect((await scene.call('DELETE', `${V1}/products/${UNKNOWN}/certificate`)).status).toBe(405);
  });

  scenario(
    'the keys cannot be read: the cached ones for an hour, then 503, never an empty set',
    covers('EP5-ERRORS'),
    async () => {
      const database = await testDatabase();
      const proxy = await throughProxy(database);
      let ahead = 0;
      const clock = () => new Date(Date.now() + ahead);
      const service = await testService({ databaseUrl: proxy.url, overrides: { clock } });
      const jwks = () => fetch(`${service.url}/api/v1/.well-known/jwks.json`);
      const before = await jwks();
      expect(before.status).toBe(200);
      proxy.cut();
      await new Promise((resolve) => {
        setTimeout(resolve, 1_500);
      });
      const kept = await jwks();
      ahead = 3_600_000;
      const away = await jwks();
      const problem = (await away.json()) as Json;
      await service.dispose();
      await proxy.close();
      await database.close();
      expect([kept.status, await kept.text()]).toEqual([200, await before.text()]);
      const [, left = ''] = /^public, max-age=(\d+)$/.exec(kept.headers.get('cache-control') ?? '') ?? [];
      expect(Number(left)).toBeGreaterThan(3_400);
      expect(Number(left)).toBeLessThan(3_600);
      expect([away.status, problem.code]).toEqual([503, 'keys_unavailable']);
      expect(away.headers.get('cache-control')).toBe('no-store');
    },
  );
});

describe('public documents', () => {
  scenario(
    'may be cached for a day, by any cache',
    covers('EP1-CACHE', 'EP2-CACHE', 'LIMIT-CACHE', 'AUTH-1'),
    async () => {
      const product = await scene.call('GET', `${V1}/products/${kettle.id}/certificate`);
      const [image] = product.json['svc:images'] as { certification: Json }[];
      const asset = await scene.call(
        'GET',
        `${V1}/assets/${image?.certification['svc:assetId']}/certificate`,
      );
      for (const { status, headers } of [product, asset]) {
        expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=86400']);
      }
    },
  );

  scenario(
    'are JSON, with the same bytes each time',
    covers('WIRE-JSON', 'EP-JSON', 'CACHE-CERTIFICATE'),
    async () => {
      const ask = () => scene.call('GET', `${V1}/products/${kettle.id}/certificate`);
      const [first, second] = [await ask(), await ask()];
      expect(first.headers.get('content-type')).toMatch(/^application\/(ld\+)?json/);
      expect(second.text).toBe(first.text);
      expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    },
  );

  scenario('answer conditional requests, HEAD and any origin', covers('EP-CONDITIONAL'), async () => {
    const path = `${V1}/products/${kettle.id}/certificate`;
    const { headers } = await scene.call('GET', path);
    const etag = headers.get('etag') ?? '';
    const unchanged = await scene.call('GET', path, undefined, { 'if-none-match': etag });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    const head = await scene.call('HEAD', path);
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('surrogate-key')).toBe(`product-${kettle.id}`);
    const preflight = await scene.call('OPTIONS', `${V1}/products/${kettle.id}/verify`, undefined, {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  });
});

describe('the description of the service', () => {
  let openapi: { paths: Record<string, Record<string, Json>>; webhooks?: unknown };
  beforeAll(async () => {
    openapi = (await scene.call('GET', '/api/v1/openapi.json')).json as unknown as typeof openapi;
  });

  scenario('has every path of the contract under /api/v1', covers('EP-PREFIX', 'VERSION-PATH'), () => {
    const paths = Object.keys(openapi.paths);
    expect(paths).toEqual(
      expect.arrayContaining([
        '/api/v1/mc4p/products/{product_id}/certificate',
        '/api/v1/mc4p/assets/{asset_id}/certificate',
        '/api/v1/mc4p/products/{product_id}/verify',
        '/api/v1/mc4p/page-checks',
        '/api/v1/.well-known/jwks.json',
      ]),
    );
    // operations for the operator, the console and what merchants install, and where other protocols look (draft-ietf-webbotauth-httpsig-protocol, UCP, ACP)
    const operations =
      /^\/(healthz|readyz|metrics|downloads(\/\{file\})?|console\/session|\.well-known\/(http-message-signatures-directory|ucp)|(ucp|acp)\/.+)$/;
    expect(paths.filter((path) => !path.startsWith('/api/v1/') && !operations.test(path))).toEqual([]);
  });

  scenario('requires no credentials for public operations', covers('AUTH-1', 'AUTH-2'), () => {
    for (const [path, methods] of Object.entries(openapi.paths)) {
      if (!/mc4p|well-known/.test(path)) continue;
      for (const operation of Object.values(methods)) expect(operation.security ?? []).toEqual([]);
    }
  });

  scenario(
    'declares no public webhooks or callbacks, and promises no change policy',
    covers('EVENTS-NONE', 'VERSION-POLICY'),
    async () => {
      // the documented events are those that merchants can subscribe to in the registry
      expect(Object.keys(openapi.webhooks ?? {})).toEqual(Object.keys(EVENTS));
      const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods));
      expect(operations.filter((operation) => 'callbacks' in operation)).toEqual([]);
      const { headers } = await scene.call('GET', `${V1}/products/${kettle.id}/certificate`);
      expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null]);
    },
  );
});
