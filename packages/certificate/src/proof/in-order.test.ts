import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestIssuer } from '../testing/issuer.ts';
import { canonicalJson } from './canonical-json.ts';
import { canonicalText } from './canonical-text.ts';
import { inOrder, NOT_SIMPLE } from './in-order.ts';
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

describe('a value whose members are put in order', () => {
  it('serialises to canonical JSON, with and without a namespace, and is not modified', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('', NAMESPACE, '\ud800', '"', 'a'), (value, namespace) => {
        const before = structuredClone(value);
        expect(canonicalJson(value, namespace)).toBe(canonicalText(value, namespace));
        expect(value).toEqual(before);
      }),
      { numRuns: 2000 },
    );
  });

  it('is returned without a copy for every member that we issue', async () => {
    const document = await (await createTestIssuer()).certificate();
    for (const name of DOCUMENT_FORMS.product.digested) {
      expect(inOrder(document[name], ''), name).toBe(document[name]);
    }
  });

  it.each([
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
    ['with __proto__', JSON.parse('{"__proto__":1}')],
    ['with an entry that is missing', [undefined]],
    ['over 64 deep', JSON.parse('['.repeat(65) + ']'.repeat(65))],
  ])('is refused %s', (_, value) => {
    expect(inOrder(value, NAMESPACE)).toBe(NOT_SIMPLE);
  });

  it('is refused if it would be too large when serialised', () => {
    let value: unknown = 'x'.repeat(1000);
    for (let i = 0; i < 60; i++) value = [value, value];
    expect(inOrder(value, '')).toBe(NOT_SIMPLE);
    expect(canonicalJson(value)).toBeNull();
  });
});
