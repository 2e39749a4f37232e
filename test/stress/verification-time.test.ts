import { expect, it } from 'vitest';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
} from '../../packages/certificate/src/testing/issuer.ts';
import { createKeySet, verify } from '../../packages/certificate/src/verify/index.ts';

/*
 * What others put around a genuine certificate costs the verifier no more than a multiple of the time for honest members of
 * the same length. Anybody may have a document verified, in the process that answers.
 */

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

const SIZE = 400_000;
const spelled = (n: number) => `${'s'.repeat(n)}:additionalProperty`;
const objects = Array.from({ length: SIZE / 40 }, () => ({ b: 1, a: 'xxxxxxxxxxxxxxxxxxx' }));

const HOSTILE: Readonly<Record<string, () => object>> = {
  'many spellings of one large member': () => ({
    '@context': [
      ...context,
      Object.fromEntries(Array.from({ length: 90 }, (_, n) => ['s'.repeat(n + 1), 'http://schema.org/'])),
    ],
    additionalProperty: objects,
    ...Object.fromEntries(Array.from({ length: 90 }, (_, n) => [spelled(n + 1), 1])),
  }),
  'many objects with an @id beside a long one': () => ({
    '@id': 'é'.repeat(SIZE / 2),
    foo: Array.from({ length: SIZE / 40 }, () => ({ '@id': 'a', b: 1 })),
  }),
  'prefixes of prefixes': () => ({
    '@context': [
      ...context,
      Object.fromEntries(
        Array.from({ length: 99 }, (_, n) => [`t${n}`, n === 0 ? 'x:' : `t${n - 1}:${'x'.repeat(2000)}`]),
      ),
    ],
    ...Object.fromEntries(Array.from({ length: SIZE / 20 }, (_, n) => [`t98:${n}`, 1])),
  }),
  'a hundred terms for a long text': () => ({
    '@context': [...context, Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`w${n}`, 'x:']))],
    additionalProperty: ['w'.repeat(SIZE)],
  }),
};

it.each(Object.entries(HOSTILE))(
  'takes no more than a multiple of the time for honest members: %s',
  async (_, build) => {
    const honest = { reviews: Array.from({ length: SIZE / 40 }, () => ({ b: 1, a: 'xxxxxxxxxxxxxxxxxxx' })) };
    const timed = async (more: object) => {
      const document = JSON.stringify({ ...issued, ...more });
      const begin = performance.now();
      await verifyWith(JSON.parse(document) as object);
      return performance.now() - begin;
    };
    const hostile = build();
    const least = async (more: object) => Math.min(await timed(more), await timed(more), await timed(more));
    expect(await least(hostile)).toBeLessThan(50 * Math.max(10, await least(honest)));
  },
);
