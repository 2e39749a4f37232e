import { verifyProductCertificate } from '@touchstone/contract';
import { findBadText } from '@touchstone/contract/validation';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verificationRoutes } from './routes.ts';
import type { VerifyProductInput } from './verify-product.ts';

const refuse = () => {
  throw new Error('not asked here');
};

test('a body answered before the framework is one that the schema accepts, read in the same way', () => {
  const asked: VerifyProductInput[] = [];
  const ifCached = (input: VerifyProductInput) => void asked.push(input);
  const [route] = verificationRoutes(
    { verifyProduct: Object.assign(refuse, { ifCached }), verifyImage: refuse },
    { baseUrl: 'https://certificates.example', onItemFault: refuse },
  );
  const bodies = fc.oneof(
    fc.jsonValue(),
    fc.record({ productUrl: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\0', '\ud800', 7)) }),
    fc.record({ productUrl: fc.webUrl(), document: fc.jsonValue(), further: fc.jsonValue() }),
  );
  fc.assert(
    fc.property(bodies, (body) => {
      asked.length = 0;
      route?.cachedAnswer?.({ id: 'p', body, headers: {} });
      const parsed = verifyProductCertificate.body.safeParse(body);
      const isGood = parsed.success && findBadText(verifyProductCertificate.body, body).length === 0;
      expect(asked).toEqual(
        isGood ? [{ productId: 'p', pageUrl: parsed.data.productUrl, document: parsed.data.document }] : [],
      );
    }),
    { numRuns: 300 },
  );
});
