import { describe, expect, it } from 'vitest';
import { decodePage } from './charset.ts';
import { Findings } from './findings.ts';

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const decode = (bytes: Uint8Array, contentType?: string): string =>
  decodePage(bytes, contentType, new Findings());

describe('a declaration that the bytes contradict', () => {
  const told = (bytes: Uint8Array, contentType?: string) => {
    const findings = new Findings();
    const text = decodePage(bytes, contentType, findings);
    return [text, findings.list().map((note) => note.split(':', 1)[0])];
  };
  const utf8 = (text: string) => new TextEncoder().encode(text);

  it.each(['iso-8859-1', 'windows-1252', 'windows-1251', 'iso-8859-8-i', 'koi8-r'])(
    'UTF-8 declared as %s is read as UTF-8, and reported',
    (label) => {
      expect(told(utf8('Цена 5 €'), `text/html; charset=${label}`)).toEqual([
        'Цена 5 €',
        ['charset_contradicted'],
      ]);
      expect(told(utf8('plain'), `text/html; charset=${label}`)).toEqual(['plain', []]);
    },
  );

  it('valid text in that encoding keeps it, and so does one in a multi-byte encoding', () => {
    expect(told(latin1('\xd6\xe5\xed\xe0'), 'text/html; charset=windows-1251')).toEqual(['Цена', []]);
    expect(told(latin1('caf\xe9 \xc3\xa9 x\xe9'), 'text/html; charset=iso-8859-1')).toEqual([
      'café Ã© xé',
      [],
    ]);
    expect(told(latin1('\x89\xbf\x8a\x69'), 'text/html; charset=shift_jis')).toEqual(['価格', []]);
  });

  it('a page that was cut within a character is still UTF-8', () => {
    expect(told(utf8('Preis 5 €').subarray(0, -1), 'text/html; charset=windows-1252')[0]).toBe('Preis 5 ');
  });

  it.each([
    ['utf-16le', 0],
    ['utf-16be', 1],
  ] as const)('%s without a byte order mark is read, and reported', (_, first) => {
    const text = '<html><title>Cup 4€</title>';
    const bytes = new Uint8Array(text.length * 2);
    for (const [index, unit] of [...text].entries()) {
      const code = unit.charCodeAt(0);
      bytes[index * 2 + first] = code & 0xff;
      bytes[index * 2 + 1 - first] = code >> 8;
    }
    expect(told(bytes)).toEqual([text, ['utf16_undeclared']]);
  });

  it('gzip that is not declared is not text', () => {
    expect(told(new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2]))).toEqual(['', ['not_text']]);
  });
});

describe('a page that declares no encoding and is not UTF-8', () => {
  const read = (bytes: Uint8Array) => {
    const findings = new Findings();
    return { text: decodePage(bytes, undefined, findings), findings: findings.list() };
  };

  it.each([
    ['<html lang="zh-CN">', '\xbc\xdb\xb8\xf1', '价格', 'gbk'],
    ['<html lang=zh-TW>', '\xbb\xf9\xae\xe6', '價格', 'big5'],
    ['<html class="js" lang="ja">', '\x89\xbf\x8a\x69', '価格', 'shift_jis'],
    ["<html lang='ko-KR'>", '\xb0\xa1\xb0\xdd', '가격', 'euc-kr'],
    ['<HTML LANG="ru">', '\xd6\xe5\xed\xe0', 'Цена', 'windows-1251'],
    ['<html lang="pl">', '\xb1', 'ą', 'iso-8859-2'],
    ['<html lang="de">', 'Gr\xf6\xdfe', 'Größe', 'windows-1252'],
    ['<html data-lang="ru">', 'caf\xe9', 'café', 'windows-1252'],
  ])('is read in the usual encoding of its language, and reported: %s', (html, bytes, text, encoding) => {
    const { text: decoded, findings } = read(latin1(`${html}<p>${bytes}</p>`));
    expect(decoded).toContain(`<p>${text}</p>`);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatch(/^charset_undeclared: /);
    expect(findings[0]).toContain(encoding);
  });

  it('stays UTF-8 where at most one character in ten is invalid', () => {
    const page = (invalid: number) =>
      Uint8Array.from([
        ...new TextEncoder().encode('ä'.repeat(10 - invalid)),
        ...Array.from({ length: invalid }, () => 0xe4),
        0x2e,
      ]);
    expect(read(page(1)).text).toBe(`${'ä'.repeat(9)}\ufffd.`);
    expect(read(page(2)).text).toBe(`${'Ã¤'.repeat(8)}ää.`);
  });
});

describe('decodePage', () => {
  it('prefers a byte order mark to everything else', () => {
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('é')]);
    expect(decode(bytes, 'text/html; charset=iso-8859-2')).toBe('é');
    expect(decode(new Uint8Array([0xff, 0xfe, 0x41, 0x00]))).toBe('A');
  });

  it('prefers the response to the page', () => {
    expect(decode(latin1('<meta charset="utf-8">\xb1'), 'text/html; charset="iso-8859-2"')).toContain('ą');
  });

  it.each([
    '<meta charset=windows-1251>',
    '<meta content="text/html; charset=windows-1251" http-equiv="Content-Type">',
    '<!-- <meta charset=utf-8> --><META CHARSET = "cp1251">',
  ])('reads the declaration of %s', (meta) => {
    expect(decode(latin1(`${meta}\xd6\xe5\xed\xe0`))).toContain('Цена');
  });

  it('reads Shift_JIS, and UTF-16 if the response declares it', () => {
    expect(decode(latin1('<meta charset="Shift_JIS">\x89\xbf\x8a\x69'))).toContain('価格');
    expect(decode(latin1('4\0\xac\x20'), 'text/html; charset=utf-16le')).toBe('4€');
  });

  it('reads an ASCII page that declares UTF-16 as UTF-8', () => {
    expect(decode(new TextEncoder().encode('<meta charset="utf-16">é'))).toContain('é');
  });

  it('distinguishes UTF-8 from windows-1252 if nothing is declared', () => {
    expect(decode(new TextEncoder().encode('é €'))).toBe('é €');
    expect(decode(latin1('\xe9 \x80'))).toBe('é €');
  });

  it('reports an unknown declared encoding, and reads the page', () => {
    const findings = new Findings();
    expect(decodePage(new TextEncoder().encode('<meta charset=klingon>é'), undefined, findings)).toContain(
      'é',
    );
    expect(findings.list()[0]).toContain('charset_unknown');
  });
});
