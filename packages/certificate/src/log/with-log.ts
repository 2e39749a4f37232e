import type { PageVerdict } from '../page-verdicts.ts';
import { type Concluded, type Conclusion, conclude } from '../verify/conclusion/conclude.ts';
import type { AgreementOutcome, Evidence } from '../verify/conclusion/evidence.ts';
import { LOG_NOTES, type LogFinding, type LogNote, logFinding } from '../verify/log-reasons.ts';
import type { Profile, ProfileStatus } from '../verify/profile-types.ts';

/**
 * What a caller makes of it if a proof is not known to be logged: `required`: nothing may then be relied on; nor if a quorum of witnesses
 * is required and not met. `ifPresent`: the result stays as it is, and says so. `none`: it is not looked at.
 */
export type LogPolicy = 'required' | 'ifPresent' | 'none';

type Checks = Readonly<Record<string, boolean | null | { readonly result: boolean | null }>>;

interface Noted {
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

/** The result of verifying a document. */
interface Verification extends Noted {
  readonly checks: Checks;
  readonly status: 'verified' | 'failed' | 'unverified';
  readonly conclusion: Conclusion;
  readonly log?: LogFinding | undefined;
}

/** The answer by profiles. */
interface Profiles extends Noted {
  readonly checks: Checks;
  readonly profiles: Readonly<Record<Profile, ProfileStatus>>;
  readonly log?: LogFinding | undefined;
}

/** The report of a page check. */
interface Report extends Noted {
  readonly verdict: PageVerdict;
  readonly conclusion: Conclusion;
  readonly agreement?: { readonly outcome: AgreementOutcome } | undefined;
  readonly mc4p: {
    readonly present: boolean;
    readonly checks?: Checks | undefined;
    readonly log?: LogFinding | undefined;
  };
}

/** A result that `withLog` accepts. */
export type Loggable = Verification | Profiles | Report;

/**
 * Returns a verification result, the report of a page check or the answer by profiles, with what is known about the log. Pure.
 *
 * No check changes, since a certificate does not bind what it says about its log. If that is wrong, the first warning is
 * `log_proof_invalid`, and nothing is `trusted` or `good`; likewise `log_required`, if the caller requires what is not known. Without a valid
 * signature nothing is looked at.
 *
 * @example
 * ```ts
 * import { verifyProductCertificate } from '@touchstone/certificate';
 * import { verifyLogProof, withLog } from '@touchstone/certificate/log';
 * import { createTestIssuer, TEST_ISSUER, TEST_NOW } from '@touchstone/certificate/testing';
 *
 * const issuer = await createTestIssuer();
 * const document = await issuer.certificate();
 * const page = { pageUrl: 'https://shop.example/products/cup', trustedIssuers: [TEST_ISSUER], jwks: issuer.jwks, now: TEST_NOW };
 * const result = await verifyProductCertificate(document, page);
 * const finding = await verifyLogProof(document, undefined, {});
 * withLog(result, finding, 'required').conclusion.code; // 'log_required'
 * ```
 */
export function withLog<R extends Loggable>(
  result: R,
  finding: LogFinding,
  policy: LogPolicy = 'ifPresent',
): R {
  // the members that are replaced keep their types
  const changed: Loggable =
    'mc4p' in result ? reportWith(result, finding, policy) : resultWith(result, finding, policy);
  return changed as R;
}

function resultWith(
  result: Verification | Profiles,
  finding: LogFinding,
  policy: LogPolicy,
): Verification | Profiles {
  const effect = effectOf(result.checks, finding, policy);
  const told = { ...result, warnings: warningsOf(result, effect), log: effect.log };
  if (effect.warning === undefined) return told;
  if ('profiles' in told) return untrusted(told);
  return { ...told, conclusion: concluded(told.status, told) };
}

/** What follows from a finding, for any kind of result. */
interface Effect {
  readonly log: LogFinding;
  /** A warning that comes first. */
  readonly warning?: LogNote;
}

function effectOf(checks: Checks, log: LogFinding, policy: LogPolicy): Effect {
  if (resultOf(checks.signatureValid) !== true || policy === 'none')
    return { log: logFinding('log_not_looked_at') };
  if (log.status === 'invalid') return { log, warning: 'log_proof_invalid' };
  return policy === 'required' && !isEnough(log) ? { log, warning: 'log_required' } : { log };
}

/** Without a quorum in the policy of logs, the log's own word is enough. */
function isEnough({ status, steps }: LogFinding): boolean {
  if (status === 'witnessed') return true;
  return status === 'logged' && steps.find(({ step }) => step === 'quorum')?.result === null;
}

function resultOf(check: Checks[string] | undefined): boolean | null | undefined {
  return typeof check === 'object' ? check?.result : check;
}

function untrusted(answer: Profiles): Profiles {
  const told = (status: ProfileStatus) => (status === 'trusted' ? 'undetermined' : status);
  const { minimal, standard, full } = answer.profiles;
  return {
    ...answer,
    ...('status' in answer && { status: told(answer.status as ProfileStatus) }),
    profiles: { minimal: told(minimal), standard: told(standard), full: told(full) },
  };
}

function reportWith(report: Report, finding: LogFinding, policy: LogPolicy): Report {
  const { mc4p, verdict, agreement } = report;
  // nothing was verified
  if (mc4p.checks === undefined) return report;
  const effect = effectOf(mc4p.checks, finding, policy);
  const told = { ...report, warnings: warningsOf(report, effect), mc4p: { ...mc4p, log: effect.log } };
  if (effect.warning === undefined) return told;
  return { ...told, conclusion: concluded(verdict, { ...told, ...mc4p, agreement: agreement?.outcome }) };
}

/** First, but for what is told first of every suspended certificate. */
function warningsOf({ warnings }: Noted, { warning }: Effect): readonly string[] {
  if (warning === undefined) return warnings;
  const place = warnings[0]?.startsWith('certificate_suspended:') ? 1 : 0;
  return warnings.toSpliced(place, 0, `${warning}: ${LOG_NOTES[warning]}`);
}

function concluded(verdict: Evidence['verdict'], result: unknown): Conclusion {
  return conclude(verdict, result as Concluded);
}
