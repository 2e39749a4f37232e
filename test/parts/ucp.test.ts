import { createHash } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { describe, expect, it } from 'vitest';
import { type Json, jwtOf, openScene, useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const NAME = 'example.certificates.shopping.product_certificate';
const SIGNAL = 'example.certificates.shopping.product_verification';

const scene = await useScene();
const store = await scene.store('shop.example');
const kettle = await store.product('kettle', { sku: 'K-1' });
const certificate = await scene.certificate(kettle.id);
const page = productPage(certificate, {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'The kettle',
});
scene.shop.put(kettle.url, page);
scene.shop.put('http://copy.example/products/kettle', page);

const ITEM = {
  id: 'kettle',
  title: 'The kettle',
  description: { plain: 'For tea' },
  url: `${kettle.url}?utm_source=feed`,
  price_range: { min: { amount: 2490, currency: 'EUR' }, max: { amount: 2490, currency: 'EUR' } },
  variants: [
    {
      id: 'kettle-1',
      sku: 'K-1',
      title: 'The kettle',
      description: { plain: 'For tea' },
      price: { amount: 2490, currency: 'EUR' },
    },
  ],
  metadata: { [NAME]: certificate },
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
const get = (path: string) => scene.call('GET', path);
const attest = async (what: 'page' | 'item', body: Json) =>
  (await scene.call('POST', `/api/v1/mc4p/ucp/${what}-signals`, body)).json as {
    readonly signals: Record<
      string,
      { readonly provider_jwks: string; readonly kid: string; readonly jws: string }
    >;
    readonly statement: Json;
  };

/** As a business does: by the profile alone. */
async function verified({ signals, statement }: Awaited<ReturnType<typeof attest>>): Promise<Json> {
  expect(Object.keys(signals)).toEqual([SIGNAL]);
  const signal = signals[SIGNAL];
  expect(signal?.provider_jwks).toBe(`${scene.baseUrl}/.well-known/ucp`);
  const profile = (await get('/.well-known/ucp')).json as unknown as JSONWebKeySet;
  const { payload, protectedHeader } = await compactVerify(signal?.jws ?? '', createLocalJWKSet(profile), {
    algorithms: ['ES256'],
  });
  expect(protectedHeader).toEqual({ alg: 'ES256', kid: signal?.kid, typ: 'touchstone-attestation+jwt' });
  const claims = JSON.parse(new TextDecoder().decode(payload)) as Json;
  expect(claims).toEqual(statement);
  return claims;
}

/** Our schemas, with nothing required where they refer to those of UCP: test/corpus/commerce-protocols.test.ts has the real ones. */
function ajvWithout(names: readonly string[]) {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const anything = { search_response: true, lookup_response: true, get_product_response: true };
  for (const name of names)
    ajv.addSchema({ $id: `https://ucp.dev/schemas/shopping/${name}.json`, $defs: anything });
  return ajv;
}

describe('the documents of our extension', () => {
  it('are served as UCP has it: no redirect, for any origin, for shared caches, with a validator', async () => {
    const { capabilities } = (await get('/.well-known/ucp')).json.ucp as {
      readonly capabilities: Record<string, readonly { readonly schema: string; readonly spec: string }[]>;
    };
    const { schema = '', spec = '' } = capabilities[NAME]?.[0] ?? {};
    expect([schema, spec].every((url) => url.startsWith(`${scene.baseUrl}/ucp/`))).toBe(true);
    const paths = ['/.well-known/ucp', new URL(schema).pathname, '/acp/2026-11-28/product_certificate.json'];
    for (const path of [...paths, new URL(spec).pathname]) {
      const response = await fetch(scene.service.url + path, { redirect: 'manual' });
      const { headers } = response;
      expect([path, response.status, headers.get('access-control-allow-origin')]).toEqual([path, 200, '*']);
      expect(headers.get('cache-control')).toBe('public, max-age=3600');
      if (!paths.includes(path)) {
        expect(await response.text()).toContain(NAME);
        expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
        continue;
      }
      expect(headers.get('content-type')).toBe('application/json');
      const again = await fetch(scene.service.url + path, {
        headers: { 'if-none-match': headers.get('etag') ?? '' },
      });
      expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'public, max-age=3600']);
    }
  });

  it('name themselves as the host of their addresses, by the algorithm of UCP', async () => {
    const { json } = await get('/ucp/2026-11-28/product_certificate.json');
    const prefix = new URL(String(json.$id)).hostname.split('.').toReversed().join('.');
    expect(json.name).toBe(NAME);
    expect(NAME.startsWith(`${prefix}.`)).toBe(true);
    const { capabilities } = (await get('/.well-known/ucp')).json.ucp as {
      readonly capabilities: Record<string, readonly { readonly extends: readonly string[] }[]>;
    };
    const parents = capabilities[NAME]?.[0]?.extends ?? [];
    expect(Object.keys(json.$defs as Json)).toEqual(expect.arrayContaining([...parents]));
    const { capabilities: required } = json.requires as { readonly capabilities: Json };
    expect(Object.keys(required).toSorted()).toEqual([...parents].toSorted());
  });

  it('accept products with a certificate and signals of ours, and refuse what is neither', async () => {
    const { json } = await get('/ucp/2026-11-28/product_certificate.json');
    const ajv = ajvWithout([
      'catalog_search',
      'catalog_lookup',
      'checkout',
      'types/product',
      'types/variant',
    ]);
    ajv.addSchema(json);
    const at = (pointer: string) => ajv.getSchema(`${json.$id}#/$defs/${pointer}`);
    const product = at('product');
    const unsigned = { ...certificate, proof: {} };
    expect(product?.(ITEM)).toBe(true);
    expect(product?.({ ...ITEM, metadata: { [NAME]: unsigned } })).toBe(false);
    expect(product?.({ ...ITEM, metadata: { [NAME]: JSON.stringify(certificate) } })).toBe(false);
    expect(product?.({ ...ITEM, variants: [{ metadata: { [NAME]: unsigned } }] })).toBe(false);
    expect(product?.({ ...ITEM, metadata: { collection: 'Winter' } })).toBe(true);
    const search = at('dev.ucp.shopping.catalog.search/$defs/search_response');
    expect(search?.({ products: [ITEM] })).toBe(true);
    expect(search?.({ products: [{ ...ITEM, metadata: { [NAME]: unsigned } }] })).toBe(false);
    const { signals } = await attest('page', { url: kettle.url });
    const checkout = at('dev.ucp.shopping.checkout');
    expect(checkout?.({ signals })).toBe(true);
    expect(checkout?.({ signals: { [SIGNAL]: { jws: 'x' } } })).toBe(false);
  });

  it('describe a checkout session of ACP, whose metadata is the one place that is open', async () => {
    const { json } = await get('/acp/2026-11-28/product_certificate.json');
    const validate = ajvWithout([]).compile(json);
    expect(validate({ metadata: { [NAME]: { line_1: certificate } } })).toBe(true);
    expect(validate({ metadata: { [NAME]: { line_1: 'x' } } })).toBe(false);
  });
});

describe('a signed statement', () => {
  it('on a page says what its report says, and is verified by the profile alone', async () => {
    const report = await scene.checkPage(kettle.url);
    const body = { url: `${kettle.url}?utm_source=feed`, audience: 'https://shop.example', nonce: 'n-1' };
    const asked = { url: kettle.url, audience: 'https://shop.example', nonce: 'n-1' };
    const claims = await verified(await attest('page', asked));
    const { level, code } = report.conclusion as Json;
    expect(claims).toMatchObject({
      v: 1,
      iss: scene.baseUrl,
      aud: 'https://shop.example',
      nonce: 'n-1',
      subject: { kind: 'page', url: kettle.url, landedOn: { url: kettle.url }, sha256: sha256(page) },
      verdict: 'verified',
      conclusion: { level, code },
      notSeen: ['pictures'],
      checks: (report.mc4p as Json).checks,
      certificate: { productId: kettle.id, domain: 'shop.example', proofSha256: sha256(jwtOf(certificate)) },
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900);
    const queried = await attest('page', body);
    expect(JSON.stringify(queried.statement)).not.toContain('utm_source');
    expect(queried.statement.subject).toMatchObject({ querySha256: sha256('?utm_source=feed') });
  });

  it('on a copy, or on a page that could not be read, is no better than the verdict', async () => {
    const copied = await verified(await attest('page', { url: 'http://copy.example/products/kettle' }));
    expect(copied).toMatchObject({
      verdict: 'checks_failed',
      conclusion: { level: 'bad', code: 'another_host' },
    });
    const gone = await verified(await attest('page', { url: 'http://shop.example:1/' }));
    expect(gone).toMatchObject({ verdict: 'page_fetch_failed', notSeen: ['page', 'pictures'] });
    expect(gone).not.toHaveProperty('certificate');
    expect(gone.subject).not.toHaveProperty('sha256');
  });

  it('on an item never says more than that the record agrees: its page was not seen', async () => {
    const source = 'http://shop.example';
    const claims = await verified(await attest('item', { item: ITEM, source }));
    expect(claims).toMatchObject({
      subject: {
        kind: 'item',
        id: 'kettle',
        link: { url: kettle.url, querySha256: sha256('?utm_source=feed') },
        offeredBy: 'shop.example',
      },
      verdict: 'verified',
      conclusion: { level: 'none', code: 'item_agrees' },
      notSeen: ['page', 'pictures'],
      fields: { host: 'agrees', page: 'agrees', sku: 'agrees', gtin: 'not_compared' },
      certificate: { productId: kettle.id, proofSha256: sha256(jwtOf(certificate)) },
    });
    expect(claims).not.toHaveProperty('aud');
    const renamed = await verified(await attest('item', { item: { ...ITEM, title: 'The teapot' }, source }));
    expect(renamed).toMatchObject({
      conclusion: { level: 'caution', code: 'item_differs' },
      fields: { name: 'differs' },
    });
    expect((renamed.subject as Json).sha256).not.toBe((claims.subject as Json).sha256);
  });

  it('is refused for what is no item', async () => {
    const answer = await scene.call('POST', '/api/v1/mc4p/ucp/item-signals', { item: { a: 1 } });
    expect([answer.status, answer.json.code]).toEqual([422, 'item_unreadable']);
  });
});

describe('the keys of statements', () => {
  type Listed = {
    readonly keys: readonly { readonly kid: string; readonly purpose: string; readonly state: string }[];
  };
  const kids = async (path: string) =>
    ((await get(path)).json.keys as readonly { readonly kid: string; readonly alg: string }[]).map(
      ({ kid, alg }) => `${alg} ${kid}`,
    );

  it('are in the profile alone, which has no other: the JWKS stays RS256', async () => {
    const profile = await kids('/.well-known/ucp');
    expect(profile.length).toBeGreaterThan(1);
    expect(profile.every((key) => key.startsWith('ES256 '))).toBe(true);
    for (const path of ['jwks.json', 'receipt-jwks.json']) {
      const others = await kids(`/api/v1/.well-known/${path}`);
      expect(others.filter((key) => profile.includes(key) || key.startsWith('ES256'))).toEqual([]);
    }
    const { json } = await get('/.well-known/ucp');
    expect(json.signing_keys).toEqual(json.keys);
    expect(JSON.stringify(json)).not.toContain('"d"');
  });

  it('are replaced when revoked: the next signs at once, and the revoked one is published no more', async () => {
    const signed = (await attest('page', { url: kettle.url })).signals[SIGNAL];
    const { keys } = (await scene.operate('GET', '/signing-keys')) as unknown as Listed;
    const active = keys.find(({ purpose, state }) => purpose === 'attestations' && state === 'active');
    expect(active?.kid).toBe(signed?.kid);
    await scene.operate('POST', `/signing-keys/${active?.kid}/revoke`);
    const next = await attest('page', { url: kettle.url });
    await verified(next);
    expect(next.signals[SIGNAL]?.kid).not.toBe(signed?.kid);
    expect(await kids('/.well-known/ucp')).not.toContain(`ES256 ${signed?.kid}`);
  });
});

it('a service whose address gives no name says why, and offers nothing', async () => {
  const local = await openScene({ TOUCHSTONE_BASE_URL: 'http://localhost:8787' });
  try {
    const calls = [
      ['GET', '/.well-known/ucp'],
      ['GET', '/ucp/2026-11-28/product_certificate.json'],
      ['GET', '/ucp/2026-11-28/product_certificate'],
      ['GET', '/acp/2026-11-28/product_certificate.json'],
      ['POST', '/api/v1/mc4p/ucp/page-signals', { url: kettle.url }],
      ['POST', '/api/v1/mc4p/ucp/item-signals', { item: ITEM }],
    ] as const;
    for (const [method, path, body] of calls) {
      const { status, json } = await local.call(method, path, body);
      const detail = 'A name in UCP needs an address with https.';
      expect([path, status, json]).toMatchObject([path, 404, { code: 'commerce_name_absent', detail }]);
    }
  } finally {
    await local.close();
  }
});
