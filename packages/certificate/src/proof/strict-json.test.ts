import { describe, expect, it } from 'vitest';
import { parseStrictObject } from './strict-json.ts';

const parse = (text: string) => parseStrictObject(new TextEncoder().encode(text));

describe('one JSON object', () => {
  it.each(['null', '7', '"text"', 'true', '[]', '[{"a":1}]', '', '{', '{}{}', '{"a":1,}'])(
    'is not %j',
    (text) => {
      expect(parse(text)).toBeNull();
    },
  );

  it('is parsed completely', () => {
    expect(parse(' {"a":{"b":[1,"2",null]}} ')).toEqual({ a: { b: [1, '2', null] } });
  });

  it('may have neither a byte order mark nor bytes that are not UTF-8', () => {
    expect(parse('\ufeff{"a":1}')).toBeNull();
    const bytes = new TextEncoder().encode('{"a":"?"}');
    for (const byte of [0xff, 0x80, 0xc0]) {
      expect(parseStrictObject(bytes.map((value) => (value === 0x3f ? byte : value)))).toBeNull();
    }
  });
});

describe('a name that occurs twice in the same object', () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1, "a" : 2}',
    '{"a":1,"a"\t:2}',
    '{"a" :1,"a":2}',
    '{"a" :1,"a" :2,"b":3}',
    '{"a":"1:2","a":" : "}',
    '{"a":1,"\\u0061":2}',
    '{"a\\"":1,"a\\"":2}',
    '{"":1,"":2}',
    '{"x":{"a":1,"a":2}}',
    '{"x":[{"a":1},{"a":1,"a":2}]}',
    '{"a":{"b":1},"a":2}',
    '{"a":{"b":{"c":1}},"x":{},"a":2}',
    '{"a":"}","b":"{","a":2}',
    '{"__proto__":1,"__proto__":2}',
  ])('makes it unreadable: %s', (text) => {
    expect(JSON.parse(text)).toBeTypeOf('object');
    expect(parse(text)).toBeNull();
  });

  it.each([
    '{"a":1,"b":{"a":1}}',
    '{"a":{"b":1},"b":2}',
    '{"x":[{"a":1},{"a":2}],"a":3}',
    '{"a":"a","b":"a"}',
    '{"a":"b","b":["a","a"]}',
    '{"x":{"a":"a","b":"a"},"c":"x"}',
    '{"a":"{","b":"\\"a\\":","c":"}"}',
    '{"a":"\\\\","b":"a\\\\"}',
    '{"a":1,"A":1,"a ":1}',
  ])('is not a duplicate in another object, or as a value: %s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });
});
