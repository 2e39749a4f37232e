import { describe, expect, it } from 'vitest';
import { createKeySet } from '../keys/key-set.ts';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '../testing/issuer.ts';
import { verify } from '../verify/verify.ts';
import { signedValuesOf } from './signed-values.ts';

const issuer = await createTestIssuer();

async function valuesOf(document: Readonly<Record<string, unknown>>) {
  const result = await verify({
    document,
    pageUrl: TEST_PRODUCT.url,
    productId: TEST_PRODUCT.productId,
    keySet: createKeySet(issuer.jwks),
    issuers: [TEST_ISSUER],
    now: TEST_NOW,
  });
  return signedValuesOf(document, result);
}

describe('the values that a certificate signs', () => {
  it('are the claims, and the identifiers and pictures that the proof binds', async () => {
    expect(await valuesOf(await issuer.certificate())).toEqual({
      productName: 'Stoneware cup',
      storeName: 'The Shop',
      domain: 'shop.example',
      sku: 'CUP-1',
      pictures: ['https://shop.example/cup-front.jpg', 'https://shop.example/cup-back.jpg'],
    });
  });

  it('are the claims alone, if the proof binds no members', async () => {
    const older = await issuer.certificate({
      claims: { members: undefined, namespace: undefined },
      document: { additionalProperty: [{ '@type': 'PropertyValue', name: 'sku', value: 'ROLEX' }] },
    });
    expect(await valuesOf(older)).toEqual({
      productName: 'Stoneware cup',
      storeName: 'The Shop',
      domain: 'shop.example',
    });
  });

  it('are none, if a member was altered or the signature is another', async () => {
    const certificate = await issuer.certificate();
    expect(await valuesOf({ ...certificate, additionalProperty: [] })).toBeUndefined();
    const other = await (await createTestIssuer()).certificate();
    expect(await valuesOf(other)).toBeUndefined();
    expect(await valuesOf({ ...certificate, proof: undefined })).toBeUndefined();
  });
});
