import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestIssuer } from '../testing/issuer.ts';
import { canonicalJson } from './canonical-json.ts';
import { canonicalText } from './canonical-text.ts';
import { isInOrder } from './in-order.ts';
import { DOCUMENT_FORMS } from './members.ts';

const NAMESPACE = 'https://x/ns#';
const names = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom('__proto__', '1', '10', '2', 'toJSON', 'b', 'a', '', 'svc:a', `${NAMESPACE}a`),
);
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\ud800', '\\ud800', NAMESPACE),
    fc.double(),
    fc.constantFrom(null, true, false, undefined, 1n),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(names, tie('value')), { maxLength: 5, selector: ([name]) => name })
      .map(Object.fromEntries),
  ),
}));

describe('a value whose members are in order', () => {
  it('is serialised as any other, with and without a namespace', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('', NAMESPACE, '\ud800', '"', 'a'), (value, namespace) => {
        expect(canonicalJson(value, namespace)).toBe(canonicalText(value, namespace));
      }),
      { numRuns: 2000 },
    );
  });

  it('is every member that we issue', async () => {
    const document = await (await createTestIssuer()).certificate();
    for (const name of DOCUMENT_FORMS.product.digested) {
      expect(isInOrder(document[name], ''), name).toBe(true);
    }
  });

  it.each([
    ['in another order', { b: 1, a: 1 }],
    ['with a toJSON of its own', { toJSON: () => 'x' }],
    [
      'of a class',
      new (class Named {
        a = 1;
      })(),
    ],
    ['that is a date', new Date(0)],
    ['with a prefix that is to be replaced', { [`${NAMESPACE}a`]: 1 }],
    ['with names of digits', { b: 1, 10: 1, 9: 1 }],
    ['with an entry that is missing', [undefined]],
    ['over 64 deep', JSON.parse('['.repeat(65) + ']'.repeat(65))],
  ])('is none %s', (_, value) => {
    expect(isInOrder(value, NAMESPACE)).toBe(false);
  });

  it('is none if it would be too large when serialised', () => {
    let value: unknown = 'x'.repeat(1000);
    for (let i = 0; i < 60; i++) value = [value, value];
    expect(isInOrder(value, '')).toBe(false);
    expect(canonicalJson(value)).toBeNull();
  });
});
