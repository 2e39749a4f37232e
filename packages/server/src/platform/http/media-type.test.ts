import { describe, expect, test } from 'vitest';
import { utf8MediaType } from './media-type.ts';

describe('a Content-Type is parsed by its grammar, not compared as text', () => {
  test.each([
    ['application/json'],
    ['Application/JSON'],
    ['application/json;'],
    ['application/json ; charset=utf-8'],
    ['\tapplication/json\t;\tcharset="UTF-8"'],
    ['application/json; charset=utf-8; charset=utf-16'],
    ['application/json; q="a;b"'],
    ['application/json; q="a\\"b"'],
  ])('%j is application/json in UTF-8', (header) => {
    expect(utf8MediaType(header)).toBe('application/json');
  });

  test.each([
    [''],
    ['json'],
    ['application/'],
    ['application/json, text/plain'],
    ['application/json charset=utf-8'],
    ['application /json'],
    ['application/json; a="b'],
    ['application/json; charset=ISO-8859-1'],
    ['application/json; charset=utf-16; charset=utf-8'],
  ])('%j is not', (header) => {
    expect(utf8MediaType(header)).toBeNull();
  });

  test('a run of spaces takes linear time', () => {
    const before = process.threadCpuUsage();
    expect(utf8MediaType(`application${' '.repeat(200_000)}/json`)).toBeNull();
    expect(utf8MediaType(`application/json;${' '.repeat(200_000)}`)).toBe('application/json');
    expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
