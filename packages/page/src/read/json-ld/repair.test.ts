import { describe, expect, it } from 'vitest';
import { parseJsonLd } from './repair.ts';

describe('parseJsonLd', () => {
  it('leaves sound JSON alone', () => {
    expect(parseJsonLd(' {"a": [1, "//x"]} ')).toEqual({ value: { a: [1, '//x'] }, repaired: false });
  });

  it.each([
    ['HTML comment', '<!-- {"a": 1} -->'],
    ['CDATA in a script comment', '//<![CDATA[\n{"a": 1}\n//]]>'],
    ['CDATA in a block comment', '/*<![CDATA[*/{"a": 1}/*]]>*/'],
    ['HTML entities', '{&quot;a&quot;: 1}'],
    ['trailing commas', '{"a": 1,,}'],
    ['script comments', '{ // note\n"a": /* x */ 1}'],
    ['a closing semicolon', '{"a": 1};'],
  ])('mends %s', (_, text) => {
    expect(parseJsonLd(text)).toEqual({ value: { a: 1 }, repaired: true });
  });

  it('mends control characters and bad escapes inside strings', () => {
    expect(parseJsonLd('{"a": "x\ny\tz", "b": "it\\\'s"}')?.value).toEqual({ a: 'x\ny\tz', b: "it's" });
  });

  it.each(['', '{"a": ', '{a: 1}', 'undefined', '{"a": "x" "b": 2}'])('gives up on %j', (text) => {
    expect(parseJsonLd(text)).toBeUndefined();
  });
});
