import { describe, expect, it } from 'vitest';
import { parseJsonLd } from './repair.ts';

describe('parseJsonLd', () => {
  it('returns valid JSON unchanged', () => {
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
    ['closings of all kinds', '{"a": 1} ; */ // ]]>\n--> /* ;'],
  ])('repairs %s', (_, text) => {
    expect(parseJsonLd(text)).toEqual({ value: { a: 1 }, repaired: true });
  });

  it('reads objects on separate lines as a list', () => {
    expect(parseJsonLd('{"a": 1}\n {"b": {}}')).toEqual({ value: [{ a: 1 }, { b: {} }], repaired: true });
    expect(parseJsonLd('{"a": 1} {"b": {}}')).toBeUndefined();
  });

  it('repairs control characters and invalid escapes inside strings', () => {
    expect(parseJsonLd('{"a": "x\ny\tz", "b": "it\\\'s"}')?.value).toEqual({ a: 'x\ny\tz', b: "it's" });
  });

  it('changes only what is broken, in any order of faults', () => {
    const broken =
      '\u00a0{"a,":[1,2,,\t],\u0001/*x*/"b":{"c":"/*<!--,]","d":[{},[],-1.5e3,],}, // e\n"f":"\u00a0"\u00a0,}';
    const value = { 'a,': [1, 2], b: { c: '/*<!--,]', d: [{}, [], -1500] }, f: '\u00a0' };
    expect(parseJsonLd(broken)).toEqual({ value, repaired: true });
  });

  it('gives up on megabytes of broken text in linear time', () => {
    const before = process.threadCpuUsage();
    for (const part of ['[1,', '{"a":', '["\n",', '/', '<', ', ,'])
      parseJsonLd(part.repeat(1_900_000 / part.length));
    // closings that JSON follows: a search for the end of the text could begin anew at each of them
    for (const run of ['; ', '\n', '//'])
      expect(parseJsonLd(`{"a":{}${run.repeat(900_000 / run.length)}x}`)).toBeUndefined();
    // nine texts of 1 to 2 MB: at most 0.2 s of CPU time each, but minutes if a step scans all the remaining text
    expect(process.threadCpuUsage(before).user).toBeLessThan(20_000_000);
  });

  it.each(['', '{"a": ', '{a: 1}', 'undefined', '{"a": "x" "b": 2}'])('gives up on %j', (text) => {
    expect(parseJsonLd(text)).toBeUndefined();
  });
});
