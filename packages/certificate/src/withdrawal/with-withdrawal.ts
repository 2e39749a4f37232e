import type { PageVerdict } from '../page-verdicts.ts';
import { type Concluded, type Conclusion, conclude } from '../verify/conclusion/conclude.ts';
import type { AgreementOutcome, Evidence } from '../verify/conclusion/evidence.ts';
import type { Profile, ProfileStatus } from '../verify/profile-types.ts';
import {
  STATUS_CLAIM_FAULTS,
  WITHDRAWAL_NOTES,
  WITHDRAWAL_REASONS,
  type Withdrawal,
  type WithdrawnCheckReason,
} from '../verify/withdrawal-reasons.ts';

/**
 * What a caller makes of it if nothing is known about a withdrawal: `required`: nothing may then be relied on; `ifReachable`: the result
 * stays as it is, and says so. `none`: it is not looked for.
 */
export type WithdrawalPolicy = 'required' | 'ifReachable' | 'none';

/** Results that a withdrawal changes, by the members that it reads; `withWithdrawal` keeps all others. */
type Checked = {
  readonly checks: Readonly<Record<string, boolean | null | { readonly result: boolean | null }>>;
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
};

/** The result of verifying a document. */
type Verification = Omit<Checked, 'checks'> & {
  readonly checks: Readonly<Record<string, boolean | null>>;
  readonly status: 'verified' | 'failed' | 'unverified';
  readonly checkDetails: Readonly<Record<string, { readonly result: boolean | null }>>;
  readonly conclusion: Conclusion;
  readonly withdrawal?: Withdrawal | undefined;
};

/** The answer by profiles. */
type Profiles = Checked & {
  readonly profiles: Readonly<Record<Profile, ProfileStatus>>;
  readonly withdrawal?: Withdrawal | undefined;
};

/** The report of a page check. */
type Report = Omit<Checked, 'checks'> & {
  readonly verdict: PageVerdict;
  readonly conclusion: Conclusion;
  readonly findings: readonly string[];
  readonly agreement?: { readonly outcome: AgreementOutcome } | undefined;
  readonly mc4p: {
    readonly present: boolean;
    readonly checks?: Readonly<Record<string, boolean | null>> | undefined;
    readonly withdrawal?: Withdrawal | undefined;
  };
};

/** A result that `withWithdrawal` accepts. */
export type Withdrawable = Verification | Profiles | Report;

const NOT_LOOKED_AT: Withdrawal = { status: null, reason: 'not_looked_at' };

/**
 * Returns a verification result, the report of a page check or the answer by profiles, with what is known about a withdrawal. Pure.
 *
 * Withdrawn for good: `boundToDomain` is false with `certificate_withdrawn`, wherever it was seen. Suspended: the checks stay as they
 * are, the first warning is `certificate_suspended`, and nothing is `trusted` or `good`. Not known: only the member `withdrawal` says
 * so, unless the policy is `required`. Without a valid signature nothing is looked at, except that of a revoked key.
 *
 * @example
 * ```ts
 * import { verifyProductCertificate } from '@touchstone/certificate';
 * import { createTestIssuer, TEST_ISSUER, TEST_NOW } from '@touchstone/certificate/testing';
 * import { withWithdrawal } from '@touchstone/certificate/withdrawal';
 *
 * const issuer = await createTestIssuer();
 * const result = await verifyProductCertificate(await issuer.certificate(), {
 *   pageUrl: 'https://shop.example/products/cup',
 *   trustedIssuers: [TEST_ISSUER],
 *   jwks: issuer.jwks,
 *   now: TEST_NOW,
 * });
 * withWithdrawal(result, { status: 'invalid', reason: 'withdrawn' }).conclusion.code; // 'withdrawn'
 * ```
 */
export function withWithdrawal<R extends Withdrawable>(
  result: R,
  withdrawal: Withdrawal,
  policy: WithdrawalPolicy = 'ifReachable',
): R {
  // the members that are replaced keep their types
  const changed: Withdrawable =
    'mc4p' in result
      ? reportWith(result, withdrawal, policy)
      : 'profiles' in result
        ? profilesWith(result, withdrawal, policy)
        : verificationWith(result, withdrawal, policy);
  return changed as R;
}

/** What follows from a withdrawal, for any kind of result. */
interface Effect {
  readonly withdrawal: Withdrawal;
  /** The check that is false because of it. */
  readonly failing?: {
    readonly name: 'boundToDomain' | 'certificateIntegrity';
    readonly reason: WithdrawnCheckReason;
  };
  /** A warning that comes first. */
  readonly warning?: 'certificate_suspended' | 'withdrawal_unknown';
}

function effectOf(isSignatureValid: boolean, withdrawal: Withdrawal, policy: WithdrawalPolicy): Effect {
  const { status, reason } = withdrawal;
  // its key is no longer accepted where it was revoked
  const isSigned = isSignatureValid || reason === 'key_revoked';
  if (!isSigned || policy === 'none') return { withdrawal: NOT_LOOKED_AT };
  if (status === 'invalid')
    return { withdrawal, failing: { name: 'boundToDomain', reason: 'certificate_withdrawn' } };
  if (status === 'suspended') return { withdrawal, warning: 'certificate_suspended' };
  const fault = STATUS_CLAIM_FAULTS.find((one) => one === reason);
  if (fault !== undefined) return { withdrawal, failing: { name: 'certificateIntegrity', reason: fault } };
  if (status === null && policy === 'required') return { withdrawal, warning: 'withdrawal_unknown' };
  return { withdrawal };
}

function verificationWith(result: Verification, known: Withdrawal, policy: WithdrawalPolicy): Verification {
  const { checks, checkDetails } = result;
  const effect = effectOf(checks.signatureValid === true, known, policy);
  const failing = failingOf(effect, checks.certificateIntegrity, result.errors);
  const notes = notesOf(result, effect, failing);
  const changed = {
    ...result,
    ...notes,
    ...(failing && {
      status: 'failed' as const,
      checks: { ...checks, [failing.name]: false },
      checkDetails: { ...checkDetails, [failing.name]: { result: false, reason: failing.reason } },
    }),
  };
  const isSame = !failing && !effect.warning;
  const conclusion = isSame ? result.conclusion : concluded(changed.status, changed);
  return { ...changed, withdrawal: effect.withdrawal, conclusion };
}

function profilesWith(result: Profiles, known: Withdrawal, policy: WithdrawalPolicy): Profiles {
  const details = result.checks as Verification['checkDetails'];
  const effect = effectOf(details.signatureValid?.result === true, known, policy);
  const failing = failingOf(effect, details.certificateIntegrity?.result, result.errors);
  const notes = notesOf(result, effect, failing);
  const worst: Partial<Record<ProfileStatus, ProfileStatus>> = failing
    ? { trusted: 'untrusted', undetermined: 'untrusted' }
    : effect.warning
      ? { trusted: 'undetermined' }
      : {};
  const told = (status: ProfileStatus) => worst[status] ?? status;
  const { minimal, standard, full } = result.profiles;
  return {
    ...result,
    ...('status' in result && { status: told(result.status as ProfileStatus) }),
    profiles: { minimal: told(minimal), standard: told(standard), full: told(full) },
    checks: failing
      ? Object.assign({ ...details }, { [failing.name]: { result: false, reason: failing.reason } })
      : details,
    ...notes,
    withdrawal: effect.withdrawal,
  };
}

function reportWith(report: Report, known: Withdrawal, policy: WithdrawalPolicy): Report {
  const { verdict, mc4p, findings, agreement, ...rest } = report;
  const { checks } = mc4p;
  // nothing was verified
  if (checks === undefined) return report;
  const effect = effectOf(checks.signatureValid === true, known, policy);
  const failing = failingOf(effect, checks.certificateIntegrity, report.errors);
  const notes = notesOf(report, effect, failing);
  if (!failing) {
    const told = { ...report, ...notes, mc4p: { ...mc4p, withdrawal: effect.withdrawal } };
    if (!effect.warning) return told;
    return { ...told, conclusion: concluded(verdict, { ...told, ...mc4p, agreement: agreement?.outcome }) };
  }
  // a list is of certificates of the page's own shop, and pages are compared with verified certificates only
  const { list: _, ...certificate } = mc4p as typeof mc4p & { readonly list?: unknown };
  const changed = {
    ...rest,
    ...notes,
    verdict: 'checks_failed' as const,
    findings: findings.filter((finding) => !finding.startsWith('certified_product_list:')),
    mc4p: {
      ...certificate,
      status: 'failed',
      checks: { ...checks, [failing.name]: false },
      withdrawal: effect.withdrawal,
    },
  };
  return { ...changed, conclusion: concluded('checks_failed', { ...changed, ...changed.mc4p }) };
}

/** A lost host and another fault of the proof keep their own reasons; a withdrawn certificate is never told as a copy. */
function failingOf(
  { failing }: Effect,
  integrity: boolean | null | undefined,
  errors: readonly string[],
): Effect['failing'] {
  if (failing?.name === 'boundToDomain') return hasNote(errors, 'host_lost') ? undefined : failing;
  return integrity === false ? undefined : failing;
}

/** Reasons of `boundToDomain` that the withdrawal takes the place of. */
const REPLACED = ['domain_differs', 'another_address_of_shop'];

function hasNote(notes: readonly string[], code: string): boolean {
  return notes.some((note) => note.startsWith(`${code}:`));
}

function notesOf(
  { warnings, errors }: Pick<Checked, 'warnings' | 'errors'>,
  { warning }: Effect,
  failing: Effect['failing'],
): Pick<Checked, 'warnings' | 'errors'> {
  const first = warning && `${warning}: ${WITHDRAWAL_NOTES[warning]}`;
  const error =
    failing && `${failing.reason}: ${{ ...WITHDRAWAL_REASONS, ...WITHDRAWAL_NOTES }[failing.reason]}`;
  return {
    warnings: first === undefined ? warnings : [first, ...warnings],
    errors: error === undefined ? errors : [error, ...errors.filter((one) => !isReplaced(one, failing))],
  };
}

function isReplaced(error: string, failing: Effect['failing']): boolean {
  return failing?.name === 'boundToDomain' && REPLACED.some((code) => hasNote([error], code));
}

function concluded(verdict: Evidence['verdict'], result: unknown): Conclusion {
  return conclude(verdict, result as Concluded);
}
