import type { NormalizePage } from '../binding/normalize-page-url.ts';
import type { ProofReading } from '../proof/compact-jws.ts';
import type { ProofKind } from '../proof/proof-rules.ts';
import type { AlteredMember } from './alteration.ts';
import { truncate } from './describe.ts';
import type { Reason } from './reasons.ts';
import type { CheckResult, RegistryFacts } from './types.ts';

/** Input of the checks that need only the proof. Checks are pure: they read it, and have no side effects. */
export interface ProofContext {
  /** `null` if nothing signed was submitted. */
  readonly proof: ProofReading | null;
  /** Result of checking the signature: `ok`, why it is not valid, or why there was none to check. */
  readonly signature: Reason;
  /** The kind of proof that is required. */
  readonly kind: ProofKind;
  /** The node that carried the proof; `null` if the proof was submitted alone. */
  readonly document: Readonly<Record<string, unknown>> | null;
  /** A member of the document that differs from the one issued; only determined if the signature is valid. */
  readonly altered: AlteredMember | null;
  /** Whether the document names a remote context other than schema.org's; only determined like `altered`. */
  readonly isContextForeign: boolean;
  /** `null` if the caller named no trusted issuers: `iss` is then not checked. */
  readonly issuers: readonly string[] | null;
  /** Seconds since 1970. */
  readonly now: number;
  readonly normalizePage: NormalizePage;
}

/** Input of the other checks: also the page, the product and the registry. */
export interface CheckContext extends ProofContext {
  readonly pageUrl: string;
  /** The normalised host of `pageUrl`; `null` if it is not a web address. */
  readonly pageHost: string | null;
  readonly productId: string;
  /** `null` if no registry was consulted. */
  readonly registry: RegistryFacts | null;
}

/** A check that ran and passed. */
export const passed: CheckResult = { result: true, reason: 'ok' };

/** A check that could not run for this request. */
export function notRun(reason: Reason): CheckResult {
  return { result: null, reason };
}

/** A check that ran and failed, and what it compared. */
export function failed(reason: Reason, expected?: string, actual?: string): CheckResult {
  return {
    result: false,
    reason,
    ...(expected === undefined ? {} : { expected: truncate(expected) }),
    ...(actual === undefined ? {} : { actual: truncate(actual) }),
  };
}

/**
 * Returns the string claim of this name, or a result for a check that cannot compare it: a missing claim is a failure
 * of `certificateIntegrity` only.
 */
export function textClaim(context: CheckContext, name: string): string | CheckResult {
  const { proof } = context;
  if (proof === null) return notRun('nothing_signed');
  if (proof.claims === null) return notRun(proof.claimsFault);
  const value = proof.claims[name];
  if (value === undefined) return notRun('claim_missing');
  return typeof value === 'string' ? value : notRun('claim_wrong_type');
}
