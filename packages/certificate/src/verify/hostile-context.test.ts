import { expect, it } from 'vitest';
import { createKeySet } from '../keys/key-set.ts';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '../testing/issuer.ts';
import { verify } from './verify.ts';

/* What others put around a genuine certificate must not make the verifier throw. */

const issuer = await createTestIssuer();
const issued = await issuer.certificate();
const context = issued['@context'] as unknown[];
const keySet = createKeySet(issuer.jwks);

const verifyWith = (more: object) =>
  verify({
    document: { ...issued, ...more },
    pageUrl: TEST_PRODUCT.url,
    productId: TEST_PRODUCT.productId,
    keySet,
    issuers: [TEST_ISSUER],
    now: TEST_NOW,
  });

/** Converting it to a text throws. */
const bad = { toString: 1, valueOf: 1 };
const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;

it.each<[string, object]>([
  ['a definition of proof', { '@context': [...context, { proof: 'schema:url' }] }],
  ['an id of a definition that is no text', { '@context': [...context, { x: { '@id': bad } }] }],
  ['a definition that is a list', { '@context': [...context, { x: [bad] }] }],
  ['a deeply nested definition', { '@context': [...context, { x: deep }] }],
  [
    'a name redefined beside coverage that has no canonical form',
    {
      '@context': [...context, { canonicalSource: 'https://bargains.example/' }],
      'svc:trust': { x: '\ud800' },
    },
  ],
  ['a deeply nested @context', { '@context': [...context, deep] }],
])('is failed, without an exception: %s', async (_, more) => {
  expect((await verifyWith(more)).checkDetails.certificateIntegrity.reason).toBe('member_altered');
});

it.each<[string, object]>([
  ['an @id that is no text', { '@id': '#x', foo: { '@id': bad, y: 1 } }],
  ['a deeply nested @id beside it', { '@id': '#x', foo: { '@id': deep } }],
  ['its own @id that is no text', { '@id': bad, foo: { '@id': bad, y: 1 } }],
  ['a type that is no text', { '@type': ['Product', bad] }],
])('gets a verdict, without an exception: %s', async (_, more) => {
  expect((await verifyWith(more)).status).toMatch(/^(verified|failed)$/);
});
