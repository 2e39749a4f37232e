import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeValue } from './describe.ts';

describe('a value in a message', () => {
  it.each([
    ['text', 'text'],
    [7.5, '7.5'],
    [false, 'false'],
    [null, 'null'],
    [undefined, 'undefined'],
    [[1, 2], 'a list'],
    [{ a: 1 }, 'an object'],
  ])('%j is described as %j', (value, text) => {
    expect(describeValue(value)).toBe(text);
  });

  it('is described without recursion, however deep or odd it is', () => {
    expect(describeValue(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toBe('a list');
    expect(describeValue(JSON.parse('{"toString":1,"valueOf":1,"toJSON":1}'))).toBe('an object');
    fc.assert(fc.property(fc.anything(), (value) => typeof describeValue(value) === 'string'));
  });
});
