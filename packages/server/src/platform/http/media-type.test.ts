import { describe, expect, test } from 'vitest';
import { isUtf8, parseMediaType } from './media-type.ts';

describe('a Content-Type is read by the grammar, not by its spelling', () => {
  test.each([
    ['application/json'],
    ['Application/JSON'],
    ['application/json;'],
    ['application/json ; charset=utf-8'],
    ['\tapplication/json\t;\tcharset="UTF-8"'],
    ['application/json; charset=utf-8; charset=utf-16'],
    ['application/json; q="a;b"'],
  ])('%j is application/json in UTF-8', (header) => {
    const type = parseMediaType(header);
    expect(type?.essence).toBe('application/json');
    expect(type !== null && isUtf8(type)).toBe(true);
  });

  test.each([
    [''],
    ['json'],
    ['application/'],
    ['application/json, text/plain'],
    ['application/json charset=utf-8'],
    ['application/json; charset'],
    ['application /json'],
    ['application/json; a="b'],
  ])('%j is no media type', (header) => {
    expect(parseMediaType(header)).toBeNull();
  });

  test('another charset is told, so that it can be refused', () => {
    const type = parseMediaType('application/json; charset=ISO-8859-1');
    expect(type).toEqual({ essence: 'application/json', charset: 'iso-8859-1' });
    expect(type !== null && isUtf8(type)).toBe(false);
  });

  test('a run of spaces costs no more than it is long', () => {
    // by the square of its length this would take the better part of a minute
    expect(parseMediaType(`application${' '.repeat(200_000)}/json`)).toBeNull();
    expect(parseMediaType(`application/json;${' '.repeat(200_000)}`)).toEqual({
      essence: 'application/json',
    });
  });
});
