import { describe, expect, it } from 'vitest';
import { fieldMatches, type ImageBinding, VERIFY_FIELDS } from './verify-fields.ts';
import { verifyImage } from './verify-image.ts';

const binding: ImageBinding = {
  imageId: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
  productId: '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6',
  externalProductId: 'cup-1',
  productUrl: 'https://shop.example/products/cup',
  storeUrl: 'https://shop.example/',
  imageUrl: 'https://shop.example/cup.jpg?v=1',
  platform: 'shopify',
  sku: 'CUP-1',
};

const startingWith = (code: string) => expect.stringMatching(new RegExp(`^${code}: `));

const input = {
  binding,
  authorizedDomains: [
    { hostname: 'shop.example', verified: true },
    { hostname: 'www.shop.example', verified: false },
  ],
  domain: 'shop.example',
  certificateConsistency: true,
};

describe('an image-keyed certificate', () => {
  it('is verified on a domain that it is authorised for', () => {
    expect(verifyImage(input)).toMatchObject({
      kind: 'verified',
      result: { verified: true, authorizedDomain: 'shop.example', currentDomain: 'shop.example', errors: [] },
    });
    expect(verifyImage({ ...input, domain: 'WWW.Shop.Example.' }).kind).toBe('verified');
  });

  it('passes with a warning on a domain that is not proven, unless proof is required', () => {
    const unproven = { ...input, domain: 'www.shop.example' };
    expect(verifyImage(unproven)).toMatchObject({
      kind: 'verified',
      result: { verified: true, warnings: [expect.stringMatching(/^domain_unverified: /)] },
    });
    expect(verifyImage({ ...unproven, requireVerifiedDomain: true })).toMatchObject({
      kind: 'domain_unverified',
      result: { verified: false, warnings: [], checks: { domainMatches: true } },
    });
    expect(verifyImage({ ...input, requireVerifiedDomain: true }).kind).toBe('verified');
  });

  it('reports every failure, and takes the kind of the first: proof, domain, field', () => {
    const field = { name: 'sku', value: 'CUP-2' };
    const worst = verifyImage({ ...input, domain: 'evil.example', certificateConsistency: false, field });
    expect(worst).toMatchObject({
      kind: 'proof_invalid',
      result: { errors: ['proof_invalid', 'domain_not_authorized', 'field_differs'].map(startingWith) },
    });
    expect(verifyImage({ ...input, domain: 'evil.example', field }).kind).toBe('domain_not_authorized');
  });

  it.each(['evil.example', 'shop.example.evil.example', 'shop.example:443', ''])(
    'is not valid on %j',
    (domain) => {
      expect(verifyImage({ ...input, domain })).toMatchObject({
        kind: 'domain_not_authorized',
        result: { verified: false, checks: { domainMatches: false, certificateConsistency: true } },
      });
    },
  );

  it('with a stored proof that does not verify is invalid, whatever else passes', () => {
    expect(verifyImage({ ...input, certificateConsistency: false })).toMatchObject({
      kind: 'proof_invalid',
      result: { verified: false, checks: { certificateConsistency: false } },
    });
  });

  it('reports a field that nothing is bound to as unsupported', () => {
    for (const name of ['price', 'constructor', '__proto__', '']) {
      expect(verifyImage({ ...input, field: { name, value: 'x' } })).toEqual({
        kind: 'field_unsupported',
        field: name,
      });
    }
  });

  it('reports a field that differs', () => {
    const field = { name: 'sku', value: 'CUP-2' };
    expect(verifyImage({ ...input, field })).toMatchObject({
      kind: 'field_differs',
      result: { verified: false },
    });
  });
});

describe('bound fields', () => {
  it.each([
    ['productId', binding.productId.toUpperCase(), true],
    ['externalProductId', 'cup-1', true],
    ['externalProductId', 'CUP-1', false],
    ['productUrl', 'https://shop.example/products/cup/?utm_source=x', true],
    ['productUrl', 'https://shop.example/products/mug', false],
    ['storeUrl', 'https://shop.example', true],
    ['sku', 'CUP-1', true],
    ['gtin', '', false],
    ['imageUrl', 'https://shop.example/cup.jpg?v=1', true],
    ['imageUrl', 'https://shop.example/cup.jpg?v=2', false],
    ['shopifyProductId', 'cup-1', true],
    ['woocommerceProductId', 'cup-1', false],
  ])('%s = %s is %s', (name, value, matches) => {
    expect(fieldMatches(binding, name, value)).toBe(matches);
  });

  it('are the nine of the specification', () => {
    expect(VERIFY_FIELDS).toHaveLength(9);
  });
});
