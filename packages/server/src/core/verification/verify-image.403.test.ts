import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAIN, failedResult, type ImageScene, imageScene, problem } from './testing.ts';

let scene: ImageScene;

beforeAll(async () => {
  scene = await imageScene();
});
afterAll(() => scene.close());

describe('403: not authorised here, or not bound to this', () => {
  it.each([
    'evil.example',
    'shop.example.evil.example',
    'sub.shop.example',
    'xn--shp-sna.example',
    'www.shop.example',
  ])('a foreign domain, with the complete result: %s', async (domain) => {
    const answer = await scene.verify({ domain });
    const result = failedResult(scene.imageId, { domainMatches: false }, 'domain_not_authorized');
    expect(answer.status).toBe(403);
    expect(answer.json).toEqual(problem(403, 'domain_not_authorized', { result }));
    expect(answer.json.result.currentDomain).toBe(domain);
  });

  it.each([
    ['productId', '00000000-0000-4000-8000-000000000000'],
    ['externalProductId', 'CUP-1'],
    ['productUrl', 'https://shop.example/products/mug'],
    ['storeUrl', 'https://other.example'],
    ['sku', 'CUP-2'],
    ['gtin', ''],
    ['imageUrl', 'https://shop.example/cup.jpg?v=2'],
    ['shopifyProductId', 'cup-2'],
    // the shop is on another platform
    ['woocommerceProductId', 'cup-1'],
  ])('a %s that is not its own, with the complete result', async (verifyField, fieldValue) => {
    const answer = await scene.verify({ domain: DOMAIN, verifyField, fieldValue });
    expect(answer.status).toBe(403);
    expect(answer.json).toEqual(
      problem(403, 'field_differs', { result: failedResult(scene.imageId, {}, 'field_differs') }),
    );
  });

  it('both at once are in one result', async () => {
    const { json } = await scene.verify({ domain: 'evil.example', verifyField: 'sku', fieldValue: 'x' });
    expect(json.code).toBe('domain_not_authorized');
    expect(json.result.errors).toHaveLength(2);
  });
});
