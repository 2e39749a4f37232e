import { conclude } from '@touchstone/certificate';
import { PageCheckReportSchema } from '@touchstone/certificate/schema';
import { expect, it } from 'vitest';
import { boundedReport, MAX_REPORT } from './bounded-report.ts';
import { NO_FACTS, type UnnamedReport } from './types.ts';

const ID = '0b0e7a5c-6d1f-8b4e-9f57-0d4b0f6f2a11';
const PAGE = 'https://shop.example/products/cup';
const image = (value: string) => ({ value, source: 'jsonld', field: 'image' }) as const;
const text = (value: string, field = 'name') => ({ value, source: 'html', field }) as const;
const sizeOf = (report: UnnamedReport) => Buffer.byteLength(JSON.stringify({ id: ID, ...report }));

const small: UnnamedReport = {
  url: PAGE,
  final_url: PAGE,
  fetched_at: '2026-03-01T12:00:00Z',
  platform_detected: 'custom',
  verdict: 'no_certificate',
  conclusion: conclude('no_certificate', { warnings: [], errors: [] }),
  facts: NO_FACTS,
  mc4p: { present: false },
  findings: ['charset_unknown: The declared character encoding is not known.'],
  warnings: ['certificate_absent: The page carries no certificate.'],
  errors: [],
};

it('does not change a report within the limit', () => {
  expect(boundedReport(small)).toBe(small);
});

it('keeps what decides, omits images beyond 64 KB, and says how many', () => {
  const images = Array.from({ length: 50 }, (_, index) =>
    image(`https://shop.example/${'x'.repeat(2_000)}${index}`),
  );
  const report = boundedReport({ ...small, facts: { ...NO_FACTS, images } });
  expect(sizeOf(report)).toBeLessThanOrEqual(MAX_REPORT);
  expect(report.facts.images.length).toBeGreaterThan(25);
  expect(report.findings[0]).toMatch(
    new RegExp(`^report_cut: .*: ${50 - report.facts.images.length} images$`),
  );
  expect(report.findings.slice(1)).toEqual(small.findings);
  expect(report.warnings).toEqual(small.warnings);
});

it.each([
  ['of wide characters', '杯'],
  ['of characters that JSON escapes', '\u0001'],
  ['of surrogate pairs', '\u{1f375}'],
])(
  'a report stays within 64 KB with anything long %s, and valid by the schema of the response',
  (_what, character) => {
    const long = character.repeat(30_000);
    const notes = Array.from(
      { length: 200 },
      (_, index) => `json_ld_broken: ${index} ${character.repeat(200)}`,
    );
    const facts = {
      ...NO_FACTS,
      name: text(long, long),
      description: text(long, long),
      images: Array.from({ length: 50 }, () => image(long)),
    };
    const report = boundedReport({
      ...small,
      url: long,
      final_url: long,
      facts,
      findings: notes,
      warnings: notes,
      errors: notes,
    });
    expect(sizeOf(report)).toBeLessThanOrEqual(MAX_REPORT);
    expect(report.errors[0]).toBe(notes[0]);
    expect(report.findings[0]).toContain('report_cut');
    expect(JSON.stringify(report).isWellFormed()).toBe(true);
    expect(PageCheckReportSchema.safeParse({ id: ID, ...report }).success).toBe(true);
  },
);
