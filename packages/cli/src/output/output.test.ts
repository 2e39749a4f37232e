import { CONCLUSION_TABLE } from '@touchstone/certificate';
import { CHECK_NAMES, LOAD_BEARING_CHECKS } from '@touchstone/certificate/verify';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXIT_OF_CONCLUSION } from '../cli-error.ts';
import { signedText } from './signed.ts';
import { paintFor, safe, safeJson, table } from './text.ts';
import { verdictText } from './verdict.ts';
import { CHECK_ORDER, CONCLUSION_WORDS } from './words.ts';

const terminal = { write: () => {}, isTerminal: true, columns: 80 };
const plain = paintFor({ ...terminal, isTerminal: false }, {});

describe('untrusted text', () => {
  it('cannot move the cursor, colour, reorder or break lines', () => {
    expect(safe('\u061c\u200b\u200d\ufe0f\ufeff\u00ad\u{e0041}')).toMatch(/^(\\u[0-9a-f]{4}){8}$/);
    expect(table([[{ text: 'na\u202eme' }, { text: 'va\u200blue' }]])).toBe('  na\\u202eme  va\\u200blue\n');
    expect(safe('a\u001b[31mb\r\nc\u202ed\u009be')).toBe('a\\u001b[31mb\\u000d\\u000ac\\u202ed\\u009be');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(safe(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(JSON.parse(safeJson({ text }))).toEqual({ text });
      }),
    );
  });
});

describe('what was signed', () => {
  const signed = {
    kind: 'product',
    issuer: 'https://certificates.example',
    issuedAt: '2026-03-03T12:00:00.000Z',
    expiresAt: '2026-03-10T12:00:00.000Z',
    domain: 'shop.example',
    url: 'https://shop.example/cup',
    productId: 'p',
    externalProductId: '1',
    productName: 'Cup',
    storeName: 'Shop',
    storeUrl: 'https://shop.example/',
  } as const;
  const checkedAt = '2026-03-03T10:00:00.000Z';

  it.each([
    [
      { method: 'dns_txt', checkedAt },
      `control  of the host proven by a DNS record, last checked ${checkedAt}\n`,
    ],
    [
      { method: 'of_later', checkedAt },
      `control  of the host proven by of_later, last checked ${checkedAt}\n`,
    ],
    [{ method: 'none' }, 'control  of the host not proven when this was signed\n'],
  ])('names how control of the host had been proven: %j', (control, line) => {
    expect(signedText({ ...signed, control }, plain)).toContain(line);
    expect(signedText(signed, plain)).not.toContain('control');
  });
});

describe('colours', () => {
  it('are for terminals only, and never used with NO_COLOR', () => {
    expect(paintFor(terminal, {})('good', 'x')).toBe('\u001b[32mx\u001b[0m');
    expect(paintFor(terminal, { NO_COLOR: '' })('good', 'x')).not.toBe('x');
    expect(paintFor(terminal, { NO_COLOR: '1' })('good', 'x')).toBe('x');
    expect(paintFor(terminal, { TERM: 'dumb' })('good', 'x')).toBe('x');
    expect(plain('good', 'x')).toBe('x');
  });

  it('do not disturb the columns', () => {
    const paint = paintFor(terminal, {});
    const rows = [
      [{ text: 'ok', shown: paint('good', 'ok') }, { text: 'one' }],
      [{ text: 'FAIL', shown: paint('bad', 'FAIL') }, { text: 'two' }],
    ];
    const bare = ['\u001b[32m', '\u001b[31m', '\u001b[0m'].reduce(
      (text, code) => text.replaceAll(code, ''),
      table(rows),
    );
    expect(bare).toBe('  ok    one\n  FAIL  two\n');
  });
});

describe('a verdict in words', () => {
  it('is followed by the reason, the checks that decide, warnings, findings and what to do', () => {
    const text = verdictText(
      {
        verdict: 'checks_failed',
        conclusion: { level: 'bad', code: 'another_host', sentence: 'Signed for shop.example.' },
        subject: 'https://copy.example/cup',
        about: [['product', 'p']],
        checks: { domainKnown: null, boundToDomain: false, signatureValid: true, domainVerified: false },
        details: {
          boundToDomain: {
            result: false,
            reason: 'domain_differs',
            expected: 'shop.example',
            actual: 'copy.example',
          },
        },
        errors: ['domain_differs: The proof was issued for another site.'],
        warnings: ['w: Warning.'],
        findings: ['f: Finding.'],
      },
      plain,
    );
    const order = [
      'ISSUED FOR ANOTHER SITE',
      'domain_differs',
      'product',
      'signatureValid',
      'FAIL  ',
      'Warnings',
      'Findings',
      'Next:',
    ];
    const places = order.map((part) => text.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBe(0);
    expect(text).toMatch(/FAIL +boundToDomain .*Expected shop\.example\. Found copy\.example\./);
    expect(text).toMatch(/no +domainVerified/);
    expect(text).toMatch(/- +domainKnown .*did not run/);
  });

  it('says VERIFIED of a good conclusion only, and exits with success only if nothing speaks against it', () => {
    for (const { code, level } of CONCLUSION_TABLE) {
      expect(/\bVERIFIED\b/.test(CONCLUSION_WORDS[code].title), code).toBe(level === 'good');
      expect(['good', 'none']).toContain(EXIT_OF_CONCLUSION[code] === 0 ? level : 'none');
    }
  });

  it('shows every check, the decisive ones first', () => {
    expect(CHECK_ORDER.toSorted()).toEqual(CHECK_NAMES.toSorted());
    expect(CHECK_ORDER.slice(0, 6).toSorted()).toEqual(LOAD_BEARING_CHECKS.toSorted());
  });
});
