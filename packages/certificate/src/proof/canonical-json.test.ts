import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

const NAMESPACE = 'https://x/ns#';
const memberNames = fc.oneof(
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
      .uniqueArray(fc.tuple(memberNames, tie('value')), { maxLength: 5, selector: ([name]) => name })
      .map(Object.fromEntries),
  ),
}));

/** The value with the names of every object sorted: 1 as in the canonical form, -1 in reverse. */
function inOrder(value: unknown, direction: 1 | -1): unknown {
  if (Array.isArray(value)) return value.map((entry) => inOrder(entry, direction));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -direction : direction));
  return Object.fromEntries(entries.map(([name, member]) => [name, inOrder(member, direction)]));
}

describe('canonical JSON', () => {
  it('follows RFC 8785, section 3.2.2', () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts as in RFC 8785, section 3.2.3', () => {
    const names = ['€', '\r', '\ufb33', '1', '😀', '\u0080', 'ö'];
    const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0]))) ?? '';
    expect(Object.keys(JSON.parse(text)).toSorted()).toEqual(names.toSorted());
    expect([...text.matchAll(/"((?:[^"\\]|\\.)*)":/g)].map(([, name]) => name)).toEqual([
      '\\r',
      '1',
      '\u0080',
      'ö',
      '€',
      '😀',
      '\ufb33',
    ]);
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
  ])('writes the double %s as in RFC 8785, appendix B', (hex, text) => {
    expect(canonicalJson(new Float64Array(new BigUint64Array([BigInt(`0x${hex}`)]).buffer)[0])).toBe(text);
  });

  it.each([
    ['a lone surrogate', '\ud800'],
    ['a lone surrogate in a name', { '\udc00': 1 }],
    ['infinity', [Number.POSITIVE_INFINITY]],
    ['no number', { a: Number.NaN }],
    ['a function', () => {}],
    ['a big integer', 1n],
    ['a list over 64 deep', JSON.parse('['.repeat(65) + ']'.repeat(65))],
    ['a list 100,000 deep', JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))],
    ['too long a text', ['x'.repeat(4_194_304)]],
  ])('does not exist for %s', (_, value) => {
    expect(canonicalJson(value)).toBeNull();
  });

  it('exists up to the limits', () => {
    expect(canonicalJson(JSON.parse('['.repeat(64) + ']'.repeat(64)))).toHaveLength(128);
    expect(canonicalJson('x'.repeat(4_194_000))).toHaveLength(4_194_002);
  });

  it('leaves out undefined members, and treats __proto__ as an ordinary name', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
    expect(canonicalJson(JSON.parse('{"a":1,"__proto__":2}'))).toBe('{"__proto__":2,"a":1}');
  });

  it('abbreviates names in the given namespace, unless two become the same', () => {
    expect(canonicalJson({ 'https://x/b': 1, a: { 'https://x/c': 2 } }, 'https://x/')).toBe(
      '{"a":{"svc:c":2},"svc:b":1}',
    );
    expect(canonicalJson({ 'https://x/b': 1, 'svc:b': 1 }, 'https://x/')).toBeNull();
  });

  it('is the same in whatever order the members stand, with and without a namespace', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('', NAMESPACE, '\ud800', '"', 'a'), (value, namespace) => {
        const text = canonicalJson(value, namespace);
        expect(canonicalJson(inOrder(value, 1), namespace)).toBe(text);
        expect(canonicalJson(inOrder(value, -1), namespace)).toBe(text);
        if (text !== null) expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [
      'of an object with a toJSON of its own',
      { toJSON: 'x', b: { toJSON: 1 } },
      '{"b":{"toJSON":1},"toJSON":"x"}',
    ],
    [
      'of an instance of a class',
      new (class Named {
        b = 1;
        a = 2;
      })(),
      '{"a":2,"b":1}',
    ],
    ['of a date', new Date(0), '{}'],
    ['with names of digits', { b: 1, 10: 1, 9: 1 }, '{"10":1,"9":1,"b":1}'],
  ])('%s is that of its own members', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('ends early for a value that is small in memory, but too large when written', () => {
    let value: unknown = 'x'.repeat(1000);
    for (let i = 0; i < 60; i++) value = [value, value];
    expect(canonicalJson(value)).toBeNull();
  });
});
