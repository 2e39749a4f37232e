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

/** A number of members of others. */
const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, 1]));
/** A number of objects with ids of their own. */
const things = (count: number) => Array.from({ length: count }, (_, at) => ({ '@id': `#${at}`, y: 1 }));
const own = Object.keys(issued).length;

/* Anybody may submit a megabyte around a genuine certificate: whoever verifies it must not be busy with it for half a second. */
it.each<[string, object, object]>([
  ['over 1,000 members', members(1_000 - own), members(1_001 - own)],
  ['over 5,000 ids beside its own', { '@id': '#x', foo: things(5_000) }, { '@id': '#x', foo: things(5_001) }],
  [
    '@context of over 100 parts',
    { '@context': Array.from({ length: 100 }, (_, at) => context[at] ?? {}) },
    { '@context': Array.from({ length: 101 }, (_, at) => context[at] ?? {}) },
  ],
])('is failed with %s, and not before', async (_, most, more) => {
  expect((await verifyWith(most)).status).toBe('verified');
  expect((await verifyWith(more)).checkDetails.certificateIntegrity.reason).toBe('member_altered');
});
