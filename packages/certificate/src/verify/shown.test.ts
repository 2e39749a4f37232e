import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shown } from './shown.ts';

describe('a value in a message', () => {
  it.each([
    ['text', 'text'],
    [7.5, '7.5'],
    [false, 'false'],
    [null, 'null'],
    [undefined, 'undefined'],
    [[1, 2], 'a list'],
    [{ a: 1 }, 'an object'],
  ])('%j is shown as %j', (value, text) => {
    expect(shown(value)).toBe(text);
  });

  it('is shown without walking it, however deep or odd it is', () => {
    expect(shown(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toBe('a list');
    expect(shown(JSON.parse('{"toString":1,"valueOf":1,"toJSON":1}'))).toBe('an object');
    fc.assert(fc.property(fc.anything(), (value) => typeof shown(value) === 'string'));
  });
});
