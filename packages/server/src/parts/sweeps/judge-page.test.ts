import type { PageVerdict } from '@touchstone/certificate';
import type { PageReport } from '@touchstone/page';
import { describe, expect, it } from 'vitest';
import { GRACE, judgeSweptPage } from './judge-page.ts';

const ID = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
const OTHER = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b02';
const NOW = new Date('2026-03-08T12:00:00Z');
const HOUR = 3_600_000;
const ago = (milliseconds: number) => new Date(NOW.getTime() - milliseconds);

/** A report whose certificate was signed so long ago. */
function report(verdict: PageVerdict, { age, productId = ID }: { age?: number; productId?: string } = {}) {
  const issuedAt = ago(age ?? 0);
  const signed = {
    productId,
    issuedAt: issuedAt.toISOString(),
    expiresAt: new Date(issuedAt.getTime() + 168 * HOUR).toISOString(),
  };
  const mc4p = age === undefined ? { present: false } : { present: true, product_id: productId, signed };
  return {
    verdict,
    mc4p,
    errors: [],
    warnings: ['some_code: It says so.'],
    findings: [],
  } as unknown as PageReport;
}
const product = (currentAge: number | null, carried = false) => ({
  productId: ID,
  currentSince: currentAge === null ? null : ago(currentAge),
  carried,
});
const judge = (...args: [PageReport, ReturnType<typeof product>]) => judgeSweptPage(...args, NOW);

describe('a page with the certificate of its product', () => {
  it('is verified while that is the current one, or its successor is recent', () => {
    expect(judge(report('verified', { age: HOUR }), product(HOUR))).toMatchObject({
      result: 'verified',
      reason: '',
      carried: true,
      expiring: false,
    });
    expect(judge(report('verified', { age: 100 * HOUR }), product(GRACE)).result).toBe('verified');
    expect(judge(report('verified', { age: HOUR }), product(null)).result).toBe('verified');
  });

  it('is stale once its successor has existed for a while, and expiring when it ends within two days', () => {
    const stale = judge(report('verified', { age: 100 * HOUR }), product(GRACE + 1));
    expect(stale).toMatchObject({ result: 'stale', expiring: false });
    expect(stale.reason).toMatch(/^certificate_superseded: /);
    expect(judge(report('verified', { age: 130 * HOUR }), product(GRACE + 1))).toMatchObject({
      result: 'stale',
      expiring: true,
    });
    // made for what the product was before
    expect(judge(report('checks_failed', { age: 100 * HOUR }), product(GRACE + 1)).result).toBe('stale');
  });

  it('is expired, or failed, according to its report', () => {
    expect(judge(report('certificate_expired', { age: 200 * HOUR }), product(GRACE + 1))).toMatchObject({
      result: 'expired',
      reason: 'some_code: It says so.',
    });
    expect(judge(report('checks_failed', { age: HOUR }), product(HOUR)).result).toBe('failed');
  });
});

it('a page that redirects to another page is failed, since nothing was verified at its own address', () => {
  const warnings = ['redirected_to_another_page: It redirects: https://shop.example/former'];
  const landed = (verdict: PageVerdict, errors: string[]) =>
    judge({ ...report(verdict, { age: HOUR }), warnings, errors }, product(HOUR));
  expect(landed('verified', [])).toMatchObject({ result: 'failed', reason: warnings[0] });
  // that explains why the addresses differ
  expect(landed('checks_failed', ['url_differs: x'])).toMatchObject({
    result: 'failed',
    reason: warnings[0],
  });
});

it('a page with the certificate of another product is failed', () => {
  const found = judge(report('verified', { age: HOUR, productId: OTHER }), product(HOUR));
  expect(found).toMatchObject({ result: 'failed', carried: false, expiresAt: null });
  expect(found.reason).toMatch(/^certificate_of_another_product: /);
});

it.each(['no_certificate', 'unverified'] as const)(
  'a page that is %s lost its certificate, if it had one',
  (verdict) => {
    expect(judge(report(verdict), product(HOUR)).result).toBe('missing');
    expect(judge(report(verdict), product(HOUR, true))).toMatchObject({ result: 'lost', carried: true });
  },
);

it.each(['page_fetch_failed', 'password_protected'] as const)(
  'a page that is %s gives no result for it',
  (verdict) => {
    expect(judge(report(verdict), product(HOUR, true))).toMatchObject({
      result: 'unreachable',
      carried: true,
    });
  },
);
