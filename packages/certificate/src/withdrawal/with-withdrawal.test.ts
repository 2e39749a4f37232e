import { beforeAll, describe, expect, it } from 'vitest';
import { type ReceivedReport, reportContradictions } from '../consistency/page-report.ts';
import { verificationContradictions } from '../consistency/verification.ts';
import { verifyByProfile } from '../offline/verify-by-profile.ts';
import { verifyProductCertificate } from '../offline/verify-product-certificate.ts';
import { VerificationResultSchema } from '../schema/index.ts';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '../testing/issuer.ts';
import { conclude } from '../verify/conclusion/conclude.ts';
import type { VerificationResult } from '../verify/result.ts';
import type { Withdrawal, WithdrawalReason, WithdrawalStatus } from '../verify/withdrawal-reasons.ts';
import { STATUS_CLAIM_FAULTS, WITHDRAWAL_REASONS } from '../verify/withdrawal-reasons.ts';
import { type WithdrawalPolicy, withWithdrawal } from './with-withdrawal.ts';

const PAGE = TEST_PRODUCT.url;
const COPY = 'https://outlet.example/products/cup';
const control = { method: 'dns_txt', checkedAt: TEST_NOW.toISOString() };
const issuer = await createTestIssuer();
const document = await issuer.certificate({ product: { control } });
const options = { trustedIssuers: [TEST_ISSUER], jwks: issuer.jwks, now: TEST_NOW };
const verifyAt = (pageUrl: string, given: unknown = document) =>
  verifyProductCertificate(given, { ...options, pageUrl });
const asked = (pageUrl: string) => ({ productId: TEST_PRODUCT.productId, pageUrl, document });

const told = (status: WithdrawalStatus | null, reason: WithdrawalReason): Withdrawal => ({ status, reason });
const WITHDRAWN = told('invalid', 'withdrawn');
const SUSPENDED = told('suspended', 'suspended');
const UNKNOWN = told(null, 'status_list_unreachable');
const codes = (notes: readonly string[]) => notes.map((note) => note.split(':', 1)[0]);

let verified: VerificationResult;
let copied: VerificationResult;
let unsigned: VerificationResult;
beforeAll(async () => {
  verified = await verifyAt(PAGE);
  copied = await verifyAt(COPY);
  unsigned = await verifyAt(PAGE, { '@type': 'Product' });
});

/** The report on a page with this result. */
function reportOf(result: VerificationResult, pageUrl: string) {
  const { status, checks, signed, warnings, errors } = result;
  const verdict = status === 'failed' ? 'checks_failed' : status;
  const agreement = { outcome: 'same', fields: {} } as unknown as NonNullable<ReceivedReport['agreement']>;
  const compared = verdict === 'verified' ? { agreement } : {};
  return {
    id: '01234567-89ab-8def-8123-456789abcdef',
    url: pageUrl,
    final_url: pageUrl,
    verdict,
    conclusion: conclude(verdict, {
      checks,
      signed,
      warnings,
      errors,
      agreement: compared.agreement?.outcome,
    }),
    mc4p: { present: true, product_id: TEST_PRODUCT.productId, status, checks, ...(signed && { signed }) },
    ...compared,
    findings: [] as string[],
    warnings: [...warnings],
    errors: [...errors],
  } satisfies ReceivedReport;
}

describe('a withdrawn certificate', () => {
  it('is not bound to its domain, for a reason of its own, and the conclusion is bad', () => {
    const result = withWithdrawal(verified, WITHDRAWN);
    expect(result).toMatchObject({
      status: 'failed',
      checks: { ...verified.checks, boundToDomain: false },
      checkDetails: { boundToDomain: { result: false, reason: 'certificate_withdrawn' } },
      conclusion: { level: 'bad', code: 'withdrawn' },
      withdrawal: WITHDRAWN,
    });
    expect(codes(result.errors)).toEqual(['certificate_withdrawn']);
    expect(VerificationResultSchema.parse(result)).toEqual(result);
    expect(verificationContradictions(result, asked(PAGE))).toEqual([]);
  });

  it('is never told as a copy, wherever it is seen', () => {
    const result = withWithdrawal(copied, told('invalid', 'key_revoked'));
    expect(codes(result.errors)).toEqual(['certificate_withdrawn', 'url_differs']);
    expect(result.conclusion.code).toBe('withdrawn');
    const report = withWithdrawal(reportOf(copied, COPY), WITHDRAWN);
    expect([report.verdict, report.conclusion.code]).toEqual(['checks_failed', 'withdrawn']);
    for (const text of [...report.errors, report.conclusion.sentence, ...result.errors.slice(0, 1)])
      expect(text).not.toMatch(/cop(y|ied)|another site/i);
  });

  it('is untrusted by every profile, also if nobody knows where it was seen', async () => {
    for (const page of [{ pageUrl: PAGE }, {}]) {
      const answer = await verifyByProfile(document, { ...options, ...page, profile: 'standard' });
      expect(withWithdrawal(answer, WITHDRAWN)).toMatchObject({
        status: 'untrusted',
        profiles: { minimal: 'untrusted', standard: 'untrusted', full: 'untrusted' },
        checks: { boundToDomain: { result: false, reason: 'certificate_withdrawn' } },
        errors: [expect.stringMatching(/^certificate_withdrawn: /)],
      });
    }
  });

  it('makes a page fail, also one with an expired certificate or a list of products', () => {
    const report = reportOf(verified, PAGE);
    const expired = {
      ...report,
      verdict: 'certificate_expired' as const,
      mc4p: { ...report.mc4p, list: [{ product_id: 'p', url: PAGE, name: 'Cup' }] },
      findings: ['certified_product_list: 3 products', 'another: one'],
    };
    for (const one of [report, expired]) {
      const changed = withWithdrawal(one, WITHDRAWN);
      expect(changed.verdict).toBe('checks_failed');
      expect(changed.mc4p).toMatchObject({ status: 'failed', withdrawal: WITHDRAWN });
      expect(changed).not.toHaveProperty('agreement');
      expect(changed.mc4p).not.toHaveProperty('list');
      expect(reportContradictions(changed, { url: PAGE })).toEqual([]);
    }
    expect(withWithdrawal(expired, WITHDRAWN).findings).toEqual(['another: one']);
  });

  it('of a revoked key is withdrawn also where its signature is no longer accepted', async () => {
    const { jwks } = await createTestIssuer('next');
    const unaccepted = await verifyProductCertificate(document, { ...options, jwks, pageUrl: PAGE });
    const result = withWithdrawal(unaccepted, told('invalid', 'key_revoked'));
    expect(result).toMatchObject({
      status: 'failed',
      checks: { signatureValid: false, boundToDomain: false },
      conclusion: { level: 'bad', code: 'withdrawn' },
    });
    expect(verificationContradictions(result, asked(PAGE))).toEqual([]);
    const report = withWithdrawal(reportOf(unaccepted, PAGE), told('invalid', 'key_revoked'));
    expect(reportContradictions(report, { url: PAGE })).toEqual([]);
  });

  it('of a lost host keeps that reason', () => {
    const lost = { ...copied, errors: ['host_lost: Another merchant has it.'] };
    const result = withWithdrawal(lost, WITHDRAWN);
    expect([codes(result.errors), result.conclusion.code]).toEqual([['host_lost'], copied.conclusion.code]);
    expect(result.withdrawal).toEqual(WITHDRAWN);
  });
});

describe('a suspended certificate', () => {
  it('keeps its checks, and is told first', () => {
    const result = withWithdrawal({ ...verified, warnings: ['context_foreign: x'] }, SUSPENDED);
    expect([result.status, result.checks]).toEqual(['verified', verified.checks]);
    expect(codes(result.warnings)).toEqual(['certificate_suspended', 'context_foreign']);
    expect(result.conclusion).toMatchObject({ level: 'caution', code: 'suspended' });
    expect(verificationContradictions(result, asked(PAGE))).toEqual([]);
    const report = withWithdrawal(reportOf(verified, PAGE), SUSPENDED);
    expect([report.verdict, report.conclusion.code]).toEqual(['verified', 'suspended']);
    expect(reportContradictions(report, { url: PAGE })).toEqual([]);
  });

  it('is trusted by no profile', async () => {
    const answer = await verifyByProfile(document, { ...options, pageUrl: PAGE, profile: 'minimal' });
    expect(answer.status).toBe('trusted');
    expect(withWithdrawal(answer, SUSPENDED)).toMatchObject({
      status: 'undetermined',
      profiles: { minimal: 'undetermined', standard: 'undetermined', full: 'undetermined' },
      checks: answer.checks,
    });
  });
});

describe('a certificate of which nothing is known', () => {
  const reasons = (Object.keys(WITHDRAWAL_REASONS) as WithdrawalReason[]).filter(
    (reason) => !['not_withdrawn', 'withdrawn', 'key_revoked', 'suspended'].includes(reason),
  );
  const isFault = (reason: WithdrawalReason) => STATUS_CLAIM_FAULTS.some((fault) => fault === reason);

  it.each(reasons.filter((reason) => !isFault(reason)))('stays as it is, and says why: %s', (reason) => {
    const withdrawal = told(null, reason);
    expect(withWithdrawal(verified, withdrawal)).toEqual({ ...verified, withdrawal });
    const report = reportOf(verified, PAGE);
    expect(withWithdrawal(report, withdrawal)).toEqual({ ...report, mc4p: { ...report.mc4p, withdrawal } });
  });

  it.each(reasons.filter(isFault))('has a fault of its proof, and fails: %s', async (reason) => {
    const result = withWithdrawal(verified, told(null, reason));
    expect(result).toMatchObject({
      status: 'failed',
      checkDetails: { certificateIntegrity: { result: false, reason } },
      conclusion: { level: 'bad' },
    });
    expect(codes(result.errors)).toEqual([reason]);
    expect(verificationContradictions(result, asked(PAGE))).toEqual([]);
    const answer = await verifyByProfile(document, { ...options, pageUrl: PAGE, profile: 'minimal' });
    expect(withWithdrawal(answer, told(null, reason)).status).toBe('untrusted');
  });

  it('cannot be relied on if the caller requires to know', async () => {
    const result = withWithdrawal(verified, UNKNOWN, 'required');
    expect(result).toMatchObject({
      status: 'verified',
      conclusion: { level: 'none', code: 'withdrawal_unknown' },
    });
    expect(verificationContradictions(result, asked(PAGE))).toEqual([]);
    const report = withWithdrawal(reportOf(verified, PAGE), UNKNOWN, 'required');
    expect(report.conclusion.code).toBe('withdrawal_unknown');
    expect(reportContradictions(report, { url: PAGE })).toEqual([]);
    const answer = await verifyByProfile(document, { ...options, pageUrl: PAGE, profile: 'minimal' });
    expect(withWithdrawal(answer, UNKNOWN, 'required').status).toBe('undetermined');
  });

  it('keeps what is worse', () => {
    expect(withWithdrawal(copied, UNKNOWN, 'required').conclusion.code).toBe('another_host');
    expect(withWithdrawal(copied, SUSPENDED).conclusion.code).toBe('another_host');
  });
});

it('changes nothing for a certificate that is not withdrawn', () => {
  const valid = told('valid', 'not_withdrawn');
  for (const policy of ['required', 'ifReachable'] as const satisfies WithdrawalPolicy[])
    expect(withWithdrawal(verified, valid, policy)).toEqual({ ...verified, withdrawal: valid });
});

it('says that nobody looked without a valid signature, whatever is claimed, and if the policy is none', () => {
  const notLookedAt = told(null, 'not_looked_at');
  for (const withdrawal of [WITHDRAWN, SUSPENDED, UNKNOWN, told(null, 'status_uri_differs')]) {
    expect(withWithdrawal(unsigned, withdrawal, 'required')).toEqual({
      ...unsigned,
      withdrawal: notLookedAt,
    });
    expect(withWithdrawal(verified, withdrawal, 'none')).toEqual({ ...verified, withdrawal: notLookedAt });
  }
  const absent = { ...reportOf(unsigned, PAGE), mc4p: { present: false } };
  expect(withWithdrawal(absent, WITHDRAWN)).toEqual(absent);
});

describe('an answer contradicts itself', () => {
  const honest = () => withWithdrawal(verified, WITHDRAWN);
  const suspended = () => withWithdrawal(verified, SUSPENDED);
  it.each([
    ['withdrawn, and bound', () => ({ ...verified, withdrawal: WITHDRAWN })],
    [
      'withdrawn, for a reason of another status',
      () => ({ ...honest(), withdrawal: told('invalid', 'suspended') }),
    ],
    [
      'an error of a withdrawal without one',
      () => ({ ...honest(), withdrawal: told('valid', 'not_withdrawn') }),
    ],
    ['suspended, and not told', () => ({ ...suspended(), warnings: [] })],
    ['told as suspended, and is not', () => ({ ...suspended(), withdrawal: told('valid', 'not_withdrawn') })],
    ['good, though it was suspended', () => ({ ...suspended(), conclusion: verified.conclusion })],
    ['known, though nothing was signed', () => ({ ...unsigned, withdrawal: told('valid', 'not_withdrawn') })],
    [
      'a fault of the proof, whose check passed',
      () => ({ ...verified, withdrawal: told(null, 'status_uri_differs') }),
    ],
    ['valid, for no reason', () => ({ ...verified, withdrawal: told('valid', 'status_list_expired') })],
    ['unknown, though not withdrawn', () => ({ ...verified, withdrawal: told(null, 'not_withdrawn') })],
  ])('%s', (_, lie) => {
    expect(verificationContradictions(lie(), asked(PAGE))).not.toEqual([]);
  });
});
