import { beforeAll, describe, expect, it } from 'vitest';
import { createKeySet } from '../keys/key-set.ts';
import { verifyProductCertificate } from '../offline/verify-product-certificate.ts';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
  type TestIssuer,
  testClaims,
} from '../testing/issuer.ts';
import { verifyProfiles } from './profile.ts';
import { verify } from './verify.ts';
import { verifyProof } from './verify-proof.ts';

let issuer: TestIssuer;
let document: Record<string, unknown>;
const { productId, url } = TEST_PRODUCT;
const claims = testClaims();

const told = {
  kind: 'product',
  issuer: TEST_ISSUER,
  issuedAt: new Date(Number(claims.iat) * 1000).toISOString(),
  expiresAt: new Date(Number(claims.exp) * 1000).toISOString(),
  domain: claims.domain,
  url: claims.url,
  productId: claims.productId,
  externalProductId: claims.externalProductId,
  productName: claims.productName,
  storeName: claims.storeName,
  storeUrl: claims.storeUrl,
  certifiedAssets: claims.certifiedAssets,
  totalAssets: claims.totalAssets,
  coveragePercent: claims.coveragePercent,
};

beforeAll(async () => {
  issuer = await createTestIssuer();
  document = await issuer.certificate();
});

/** What each way of verifying tells of a document as signed. */
async function signedOf(one: Record<string, unknown>, trusted = TEST_ISSUER, now = TEST_NOW, pageUrl = url) {
  const keys = { keySet: createKeySet(issuer.jwks), issuers: [trusted] };
  const offline = { pageUrl, trustedIssuers: [trusted], jwks: issuer.jwks, now };
  const { jwt } = (one.proof ?? {}) as { jwt?: string };
  const ways = await Promise.all([
    verify({ document: one, pageUrl, productId, now, ...keys }),
    verifyProfiles({ document: one, kind: 'product', now, context: { domain: 'shop.example' }, ...keys }),
    verifyProductCertificate(one, offline),
    verifyProof(jwt, issuer.jwks, { now, issuers: [trusted] }),
  ]);
  const [first, ...others] = ways.map(({ signed }) => signed);
  for (const other of others) expect(other).toEqual(first);
  for (const way of ways) expect('signed' in way).toBe(first !== undefined);
  return first;
}

describe('the signed claims', () => {
  it('are returned for a valid certificate, and contain nothing else', async () => {
    expect(await signedOf(document)).toEqual(told);
    expect(await signedOf({ ...document, name: 'Another cup', productID: 'x' })).toEqual(told);
  });

  it.each([
    [{ method: 'none' }, { method: 'none' }],
    [
      { method: 'dns_txt', checkedAt: 1_772_532_000, more: [1] },
      { method: 'dns_txt', checkedAt: '2026-03-03T10:00:00.000Z' },
    ],
    [
      { method: 'a_later_one', checkedAt: 0 },
      { method: 'a_later_one', checkedAt: '1970-01-01T00:00:00.000Z' },
    ],
  ])('contain how control of the host had been proven: %j', async (control, expected) => {
    expect(await signedOf(await issuer.certificate({ claims: { control } }))).toEqual({
      ...told,
      control: expected,
    });
  });

  it('are returned whatever the other checks find', async () => {
    expect(await signedOf(document, TEST_ISSUER, TEST_NOW, 'https://copy.example/cup')).toEqual(told);
    expect(await signedOf(document, TEST_ISSUER, new Date(0))).toEqual(told);
    const long = await issuer.certificate({ claims: { exp: 253_402_300_800 } });
    expect((await signedOf(long))?.expiresAt).toBe('+010000-01-01T00:00:00.000Z');
    const endless = await issuer.certificate({ claims: { exp: Number.MAX_SAFE_INTEGER } });
    expect((await signedOf(endless))?.expiresAt).toBe(String(Number.MAX_SAFE_INTEGER));
  });

  it.each(['asset', 'image'] as const)(
    'are returned with their kind, whichever was requested: %s',
    async (kind) => {
      const more = {
        assetId: 'a',
        imageId: 'i',
        contentUrl: 'https://shop.example/a.jpg',
        uhash: 'u',
        phash: 7,
      };
      const jwt = await issuer.sign({ ...claims, ...more }, { typ: `${kind}-certificate+jwt` });
      const { signed } = await verifyProof(jwt, issuer.jwks, { now: TEST_NOW });
      const { certifiedAssets: _c, totalAssets: _t, coveragePercent: _p, ...common } = told;
      const [id, value] = kind === 'asset' ? ['assetId', 'a'] : ['imageId', 'i'];
      expect(signed).toEqual({ ...common, kind, [id]: value, contentUrl: more.contentUrl, uhash: 'u' });
    },
  );

  it('are not returned if the signature is invalid or made by another key', async () => {
    const { proof } = document as { proof: { jwt: string } };
    const [header, payload, signature = ''] = proof.jwt.split('.');
    const changed = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    expect(
      await signedOf({ ...document, proof: { jwt: `${header}.${payload}.${changed}` } }),
    ).toBeUndefined();
    const rogue = await createTestIssuer();
    expect(await signedOf(await rogue.certificate())).toBeUndefined();
    expect(await signedOf({ ...document, proof: undefined })).toBeUndefined();
  });

  it('are not returned if the issuer is not trusted, even if its key is known', async () => {
    expect(await signedOf(document, 'https://another.example')).toBeUndefined();
    const { proof } = document as { proof: { jwt: string } };
    expect((await verifyProof(proof.jwt, issuer.jwks, { now: TEST_NOW })).signed).toEqual(told);
  });

  it.each([
    { storeName: undefined },
    { storeName: 7 },
    { iat: '1' },
    { coveragePercent: 101 },
    { control: null },
    { control: { method: 'dns_txt' } },
  ])('are not returned if a claim is missing or of the wrong type: %j', async (changes) => {
    expect(await signedOf(await issuer.certificate({ claims: changes }))).toBeUndefined();
  });
});
