import { describe, expect, it } from 'vitest';
import { decodePage } from './charset.ts';
import { Findings } from './findings.ts';

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const decode = (bytes: Uint8Array, contentType?: string): string =>
  decodePage(bytes, contentType, new Findings());

describe('decodePage', () => {
  it('lets a byte order mark win over everything', () => {
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('é')]);
    expect(decode(bytes, 'text/html; charset=iso-8859-2')).toBe('é');
    expect(decode(new Uint8Array([0xff, 0xfe, 0x41, 0x00]))).toBe('A');
  });

  it('lets the response win over the page', () => {
    expect(decode(latin1('<meta charset="utf-8">\xb1'), 'text/html; charset="iso-8859-2"')).toContain('ą');
  });

  it.each([
    '<meta charset=windows-1251>',
    '<meta content="text/html; charset=windows-1251" http-equiv="Content-Type">',
    '<!-- <meta charset=utf-8> --><META CHARSET = "cp1251">',
  ])('reads the declaration of %s', (meta) => {
    expect(decode(latin1(`${meta}\xd6\xe5\xed\xe0`))).toContain('Цена');
  });

  it('reads Shift_JIS, and UTF-16 that the response declares', () => {
    expect(decode(latin1('<meta charset="Shift_JIS">\x89\xbf\x8a\x69'))).toContain('価格');
    expect(decode(latin1('4\0\xac\x20'), 'text/html; charset=utf-16le')).toBe('4€');
  });

  it('takes a declared UTF-16 of an ASCII page as UTF-8', () => {
    expect(decode(new TextEncoder().encode('<meta charset="utf-16">é'))).toContain('é');
  });

  it('tells UTF-8 from windows-1252 where nothing is declared', () => {
    expect(decode(new TextEncoder().encode('é €'))).toBe('é €');
    expect(decode(latin1('\xe9 \x80'))).toBe('é €');
  });

  it('says that a declared encoding is unknown, and reads on', () => {
    const findings = new Findings();
    expect(decodePage(new TextEncoder().encode('<meta charset=klingon>é'), undefined, findings)).toContain(
      'é',
    );
    expect(findings.list()[0]).toContain('charset_unknown');
  });
});
