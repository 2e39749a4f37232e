import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyByProfile } from '../offline/verify-by-profile.ts';
import { verifyProductCertificate } from '../offline/verify-product-certificate.ts';
import { createTestIssuer, createTestLog, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '../testing/issuer.ts';
import { LOG_REASONS, type LogFinding, type LogReason, logFinding } from '../verify/log-reasons.ts';
import type { VerificationResult } from '../verify/result.ts';
import { withWithdrawal } from '../withdrawal/with-withdrawal.ts';
import { type Policy, parsePolicy } from './policy.ts';
import { verifyLogProof } from './verify-log-proof.ts';
import { type LogPolicy, withLog } from './with-log.ts';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const issuer = await createTestIssuer();
const control = { method: 'dns_txt', checkedAt: TEST_NOW.toISOString() };
const document = await issuer.certificate({ product: { control } });
const options = { trustedIssuers: [TEST_ISSUER], jwks: issuer.jwks, now: TEST_NOW };
const verifyAt = (pageUrl: string, given: unknown = document) =>
  verifyProductCertificate(given, { ...options, pageUrl });
const profiles = () =>
  verifyByProfile(document, { ...options, pageUrl: TEST_PRODUCT.url, profile: 'standard' });

let verified: VerificationResult;
/** By their policy: no quorum; one that is met; one that is not. */
let logged: Record<'none' | 'w1' | 'w2', LogFinding>;
beforeAll(async () => {
  verified = await verifyAt(TEST_PRODUCT.url);
  const log = await createTestLog(sha256);
  const text = await log.proofOf(log.add((document.proof as { jwt: string }).jwt), await log.checkpoint([1]));
  const found = async (quorum: string) =>
    verifyLogProof(document, text, { policy: (await parsePolicy(log.policy(quorum))) as Policy });
  logged = { none: await found('none'), w1: await found('w1'), w2: await found('w2') };
});

const reasons = (status: LogFinding['status']) =>
  (Object.keys(LOG_REASONS) as LogReason[]).filter((reason) => logFinding(reason).status === status);
const reportOf = ({ checks, conclusion }: VerificationResult) => ({
  verdict: 'verified' as const,
  conclusion,
  warnings: ['page_moved: x'],
  errors: [],
  agreement: { outcome: 'same' as const },
  mc4p: { present: true, checks },
});

describe('what the log says', () => {
  it.each(reasons('invalid'))(
    'changes no check, but nothing is trusted or good if it is wrong: %s',
    async (reason) => {
      const finding = logFinding(reason, 'leaf');
      for (const policy of ['required', 'ifPresent'] as const) {
        const result = withLog({ ...verified, warnings: ['context_foreign: x'] }, finding, policy);
        expect(result).toMatchObject({
          status: 'verified',
          checks: verified.checks,
          errors: [],
          log: finding,
        });
        expect(result.warnings).toEqual([
          expect.stringMatching(/^log_proof_invalid: /),
          'context_foreign: x',
        ]);
        expect(result.conclusion).toMatchObject({ level: 'caution', code: 'log_proof_invalid' });
        expect(withLog(await profiles(), finding, policy)).toMatchObject({
          status: 'undetermined',
          profiles: { minimal: 'undetermined', standard: 'undetermined', full: 'undetermined' },
          warnings: [expect.stringMatching(/^log_proof_invalid: /)],
        });
        const report = withLog(reportOf(verified), finding, policy);
        expect(report).toMatchObject({ verdict: 'verified', conclusion: { code: 'log_proof_invalid' } });
        expect(report.mc4p).toMatchObject({ log: finding });
      }
    },
  );

  it.each(reasons(null))('is only told if it is not known, unless it is required: %s', async (reason) => {
    const finding = logFinding(reason);
    expect(withLog(verified, finding)).toEqual({ ...verified, log: finding });
    expect(withLog(await profiles(), finding).status).toBe('trusted');
    const result = withLog(verified, finding, 'required');
    expect(result).toMatchObject({ status: 'verified', conclusion: { level: 'none', code: 'log_required' } });
    expect(withLog(await profiles(), finding, 'required').status).toBe('undetermined');
    expect(withLog(reportOf(verified), finding, 'required').conclusion.code).toBe('log_required');
  });

  it('is enough if it is required, as far as the policy of logs requires witnesses', async () => {
    const codeOf = (finding: LogFinding, policy: LogPolicy) => {
      const { conclusion, log } = withLog(verified, finding, policy);
      return [conclusion.code === verified.conclusion.code, log?.status];
    };
    expect(codeOf(logged.none, 'required')).toEqual([true, 'logged']);
    expect(codeOf(logged.w1, 'required')).toEqual([true, 'witnessed']);
    expect(codeOf(logged.w2, 'required')).toEqual([false, 'logged']);
    expect(codeOf(logged.w2, 'ifPresent')).toEqual([true, 'logged']);
    expect(codeOf(logFault(), 'none')).toEqual([true, null]);
    expect(withLog(await profiles(), logged.w1, 'required').status).toBe('trusted');
  });

  it('is not looked at without a valid signature, and never makes a failure better', async () => {
    const forged = await verifyAt(TEST_PRODUCT.url, await (await createTestIssuer()).certificate());
    expect(withLog(forged, logged.w1, 'required')).toEqual({
      ...forged,
      log: logFinding('log_not_looked_at'),
    });
    const copied = await verifyAt('https://outlet.example/');
    for (const finding of [logged.w1, logFault()])
      expect(withLog(copied, finding, 'required').conclusion.code).toBe(copied.conclusion.code);
    const bare = { ...reportOf(verified), mc4p: { present: false } };
    expect(withLog(bare, logged.w1)).toBe(bare);
  });

  it('stands beside a withdrawal, whichever is told first', () => {
    const suspended = { status: 'suspended', reason: 'suspended' } as const;
    const one = withLog(withWithdrawal(verified, suspended), logFault());
    const other = withWithdrawal(withLog(verified, logFault()), suspended);
    expect(one).toEqual(other);
    expect(one.conclusion.code).toBe('suspended');
    expect(one.warnings.map((note) => note.split(':')[0])).toEqual([
      'certificate_suspended',
      'log_proof_invalid',
    ]);
  });
});

function logFault(): LogFinding {
  return logFinding('log_inclusion_invalid', 'inclusion');
}
