import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAIN, type ImageScene, imageScene, PRODUCT } from './testing.ts';

let scene: ImageScene;

beforeAll(async () => {
  scene = await imageScene();
});
afterAll(() => scene.close());

describe('200: the certificate of an image is valid', () => {
  it('on the domain that it was issued for, with the complete result', async () => {
    const answer = await scene.verify({ domain: DOMAIN });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      verified: true,
      imageId: scene.imageId,
      authorizedDomain: DOMAIN,
      currentDomain: DOMAIN,
      signed: {
        kind: 'image',
        issuer: expect.any(String),
        issuedAt: expect.any(String),
        expiresAt: expect.any(String),
        domain: DOMAIN,
        url: PRODUCT.url,
        productId: scene.productId,
        externalProductId: PRODUCT.externalProductId,
        productName: PRODUCT.name,
        storeName: 'The Shop',
        storeUrl: `https://${DOMAIN}/`,
        control: { method: 'none' },
        imageId: scene.imageId,
        contentUrl: PRODUCT.images[0]?.url,
      },
      checks: { domainMatches: true, certificateConsistency: true },
      warnings: [expect.stringMatching(/^domain_unverified: /)],
      errors: [],
      verifier: expect.any(String),
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('on that domain, in any spelling', async () => {
    const { status, json } = await scene.verify({ domain: 'Shop.Example.' });
    expect([status, json.authorizedDomain, json.currentDomain]).toEqual([200, DOMAIN, DOMAIN]);
  });

  it('for every value that the image is bound to', async () => {
    const bound = {
      productId: scene.productId.toUpperCase(),
      externalProductId: PRODUCT.externalProductId,
      productUrl: `${PRODUCT.url}?utm_source=mail`,
      storeUrl: `https://${DOMAIN}`,
      sku: PRODUCT.sku,
      gtin: PRODUCT.gtin,
      imageUrl: PRODUCT.images[0]?.url,
      shopifyProductId: PRODUCT.externalProductId,
    };
    for (const [verifyField, fieldValue] of Object.entries(bound)) {
      const answer = await scene.verify({ domain: DOMAIN, verifyField, fieldValue });
      expect([verifyField, answer.status, answer.json.verified]).toEqual([verifyField, 200, true]);
    }
  });

  it('with unknown members in the request, and any spelling of the id', async () => {
    const answer = await scene.verify({ domain: DOMAIN, seenAt: 'noon' }, scene.imageId.toUpperCase());
    expect([answer.status, answer.json.imageId]).toEqual([200, scene.imageId]);
  });
});
