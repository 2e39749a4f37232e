import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutUnseen, writeOutUnseen } from './unseen.ts';

const UNSEEN = [
  0x00, 0x0a, 0x1b, 0x7f, 0x85, 0xad, 0x34f, 0x61c, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028,
  0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xfff9, 0xe0000, 0xe0001,
  0xe0041, 0xe007f, 0xe0100, 0xe01ef,
].map((code) => String.fromCodePoint(code));

describe('an invisible character', () => {
  it.each(UNSEEN)('%j is escaped as in JSON', (character) => {
    const out = writeOutUnseen(`a${character}b`);
    expect(out).toMatch(/^a(\\u[0-9a-f]{4}){1,2}b$/);
    expect(JSON.parse(`"${out}"`)).toBe(`a${character}b`);
    expect(withoutUnseen(`a${character}b`)).toBe('a b');
  });

  it('is kept where it is legitimate', () => {
    expect(writeOutUnseen('a\nb\u200b', '\n')).toBe('a\nb\\u200b');
  });
});

it.each(['Café 7 €', '杯子', 'كوب', 'e\u0301', '🙂', 'a\u00a0b', '\\u200b'])('%s is unchanged', (text) => {
  expect([writeOutUnseen(text), withoutUnseen(text)]).toEqual([text, text]);
});

it('escaped in JSON means the same', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
      expect(JSON.parse(writeOutUnseen(json))).toEqual(JSON.parse(json));
    }),
  );
});
