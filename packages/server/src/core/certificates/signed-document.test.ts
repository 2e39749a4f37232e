import { describe, expect, test } from 'vitest';
import type { ProofKind } from '../../platform/database/tables.ts';
import { nodeSha256 } from '../keys/rsa-keys.ts';
import { boundMembers, prepareProofOf } from './signed-document.ts';

const productId = '11111111-1111-4111-8111-111111111111';
const imageId = '22222222-2222-4222-8222-222222222222';
const binding = {
  addresses: { baseUrl: 'https://certificates.example', namespaceUrl: 'https://certificates.example/ns#' },
  sha256: nodeSha256(),
};
const snapshot = {
  productId,
  externalProductId: 'cup-1',
  name: 'Cup',
  url: 'https://shop.example/products/cup',
  domain: 'shop.example',
  storeName: 'Shop',
  storeUrl: 'https://shop.example',
  attributes: [{ name: 'colour', value: 'blue' }],
  images: [
    { imageId, contentUrl: 'https://shop.example/cup.jpg', externalId: 'media-1', uploadDate: '2026-01-01' },
  ],
  domains: { authorizedDomains: ['shop.example'], domainVerified: true },
};
const before = { kid: '', issuedAt: new Date(0), expiresAt: new Date(0) };
const now = {
  kid: 'key-1',
  issuedAt: new Date('2026-03-01T12:00:00Z'),
  expiresAt: new Date('2026-03-08T12:00:00Z'),
};

describe.each(['product', 'asset', 'image'] satisfies ProofKind[])('a proof of kind %s', (kind) => {
  const subject = { merchantId: '', kind, id: kind === 'product' ? productId : imageId, snapshot };

  test('binds the members of its document, computed with those of another time', async () => {
    const form = await boundMembers(subject, before, binding);
    const { payload } = await prepareProofOf(subject, now, form, binding);
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const whole = await boundMembers(subject, now, binding);
    expect(claims.members).toEqual(whole.members);
    expect(Object.keys(claims.members)).toEqual(Object.keys(whole.members));
    expect(claims.namespace).toBe(whole.namespace);
    expect(Object.keys(claims.members).length).toBeGreaterThan(2);
  });
});
