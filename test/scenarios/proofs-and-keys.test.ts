import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeySet, verify, verifyProof } from '@touchstone/certificate/verify';
import { describe, expect } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { hasPart } from '../kit/present-parts.ts';
import { covers, scenario } from '../kit/scenario.ts';
import { BASE_URL, claimsOf, headerOf, type Json, jwtOf, useScene } from '../kit/service.ts';

/** Members of a product certificate that its proof binds by digests. */
const BOUND = ['svc:status', 'svc:record', 'svc:images', 'additionalProperty', 'verification'];

const DAY = 86_400;
const JWKS = '/api/v1/.well-known/jwks.json';

const scene = await useScene();
const store = await scene.store('shop.example');
const kettle = await store.product('kettle');
const certificate = await scene.certificate(kettle.id);

describe('the proof', () => {
  scenario(
    'is RS256 with a key of the set, and of the kind of a product',
    covers('PROOF-RS256', 'PROOF-KID', 'PROOF-KINDS'),
    async () => {
      const { keys } = (await scene.call('GET', JWKS)).json as { keys: Json[] };
      const header = headerOf(certificate);
      expect(header).toEqual({ alg: 'RS256', kid: expect.any(String), typ: 'product-certificate+jwt' });
      expect(keys.map(({ kid }) => kid)).toContain(header.kid);
    },
  );

  scenario(
    'contains every claim of the table, and is valid for 7 days',
    covers(
      'PROOF-ISS',
      'PROOF-IAT',
      'PROOF-EXP',
      'PROOF-EXP-7D',
      'LIMIT-PROOF',
      'PROOF-DOMAIN',
      'PROOF-URL',
      'PROOF-PRODUCTID',
      'PROOF-EXTERNALID',
      'PROOF-NAME',
      'PROOF-STORE',
      'PROOF-CERTIFIED',
      'PROOF-TOTAL',
      'PROOF-PERCENT',
      'PROOF-CONTROL',
      'PC-R1-SIGNED',
    ),
    () => {
      const claims = claimsOf(certificate);
      const now = Date.now() / 1000;
      expect(claims).toEqual({
        iss: BASE_URL,
        iat: expect.any(Number),
        exp: Number(claims.iat) + 7 * DAY,
        domain: 'shop.example',
        url: kettle.url,
        productId: kettle.id,
        externalProductId: 'kettle',
        productName: 'The kettle',
        storeName: 'Shop at shop.example',
        storeUrl: 'http://shop.example/',
        control: { method: 'well_known', checkedAt: expect.any(Number) },
        ...(hasPart('status-lists') && {
          status: {
            status_list: {
              idx: expect.any(Number),
              uri: expect.stringMatching(new RegExp(`^${BASE_URL}/api/v1/mc4p/status/[1-9][0-9]*$`)),
            },
          },
        }),
        ...(certificate['svc:trust'] as Json),
        namespace: `${BASE_URL}/ns#`,
        members: Object.fromEntries(BOUND.map((name) => [name, expect.stringMatching(/^[\w-]{43}$/)])),
      });
      expect(Math.abs(Number(claims.iat) - now)).toBeLessThan(60);
    },
  );

  scenario(
    'verifies offline with only the key set, the document and the page',
    covers('CAP-JWKS', 'AUTH-6', 'CACHE-JWKS', 'CLIENT-PROOF', 'AUTH-5-STANDARD'),
    async () => {
      const jwks: unknown = (await scene.call('GET', JWKS)).json;
      const result = await verify({
        document: certificate,
        pageUrl: kettle.url,
        productId: kettle.id,
        keySet: createKeySet(jwks),
        issuers: [BASE_URL],
        now: new Date(),
      });
      expect(result.status).toBe('verified');
      const { signatureValid } = await verifyProof(jwtOf(certificate), { keys: [] }, { now: new Date() });
      expect(signatureValid.result).toBe(false);
    },
  );

  scenario(
    'of one state is one proof, until it has less than two days left',
    covers('PROOF-REUSE', 'CACHE-CERTIFICATE', 'CACHE-NOT-PAST-EXP'),
    async () => {
      const { id } = await store.product('reuse');
      const first = await scene.certificate(id);
      const maxAge = DAY;
      for (let day = 1; day <= 14; day++) {
        scene.travel(DAY);
        const later = await scene.certificate(id);
        const left = Number(claimsOf(later).exp) - (Date.now() / 1000 + day * DAY);
        expect(left).toBeGreaterThan(maxAge + DAY - 60);
        if (day <= 4) expect(later).toEqual(first);
        if (day >= 6) expect(jwtOf(later)).not.toBe(jwtOf(first));
      }
      scene.travel(-14 * DAY);
    },
  );
});

describe('the key set', () => {
  scenario(
    'lists public RSA keys with their kids, and nothing private',
    covers('JWKS-SHAPE', 'EP5-GET', 'CAP-JWKS'),
    async () => {
      const { status, json } = await scene.call('GET', JWKS);
      expect(status).toBe(200);
      for (const key of json.keys as Json[]) {
        expect(key).toEqual({
          kty: 'RSA',
          use: 'sig',
          alg: 'RS256',
          kid: expect.stringMatching(/^[\w-]+$/),
          n: expect.stringMatching(/^[\w-]{342,}$/),
          e: 'AQAB',
        });
      }
    },
  );

  scenario(
    'can be cached, for less time than a new key is published in advance',
    covers('EP5-CACHE', 'CACHE-JWKS', 'EP-CONDITIONAL'),
    async () => {
      const { headers } = await scene.call('GET', JWKS);
      expect(headers.get('cache-control')).toBe('public, max-age=3600');
      const etag = headers.get('etag') ?? '';
      expect((await scene.call('GET', JWKS, undefined, { 'if-none-match': etag })).status).toBe(304);
    },
  );

  scenario('contains the next key before it signs', covers('JWKS-LIFE'), async () => {
    const { keys } = (await scene.call('GET', JWKS)).json as { keys: Json[] };
    const signing = headerOf(certificate).kid;
    expect(keys.map(({ kid }) => kid).filter((kid) => kid !== signing).length).toBeGreaterThan(0);
  });
});

describe('a reader', () => {
  scenario(
    'takes a certificate with a proof as verifiable, and one without as no failure',
    covers('CLIENT-PROOF', 'CLIENT-IDENTITY', 'CLIENT-404', 'PV-NOT-FAILURES'),
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'touchstone-reader-'));
      const jwks = join(folder, 'jwks.json');
      await writeFile(jwks, (await scene.call('GET', JWKS)).text);
      const read = (document: unknown) =>
        runCli(['verify', '-', '--jwks', jwks, '--issuer', BASE_URL, '--page-url', kettle.url], {
          stdin: JSON.stringify(document),
        });
      expect((await read(certificate)).code).toBe(0);
      const hidden = await store.product('reader-hidden', { visible: false });
      const unverified = await read(await scene.certificate(hidden.id));
      expect([unverified.code, unverified.out.split('\n')[0]]).toEqual([
        2,
        expect.stringContaining('UNVERIFIED'),
      ]);
      await scene.operate('DELETE', `/products/${hidden.id}`);
      const gone = await scene.call('GET', `/api/v1/mc4p/products/${hidden.id}/certificate`);
      expect([gone.status, gone.json.detail]).toEqual([404, 'No certificate is served for this product.']);
      await rm(folder, { recursive: true });
    },
  );
});
