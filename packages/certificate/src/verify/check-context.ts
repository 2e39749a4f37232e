import type { NormalizePage } from '../binding/normalize-page-url.ts';
import type { ProofReading } from '../proof/compact-jws.ts';
import type { ProofKind } from '../proof/proof-rules.ts';
import type { AlteredMember } from './altered-member.ts';
import { truncate } from './describe.ts';
import type { Reason } from './reasons.ts';
import type { CheckResult, RegistryFacts } from './types.ts';

/** What the checks of a proof alone see. A check reads it and answers; it asks nobody and changes nothing. */
export interface ProofContext {
  /** `null` when nothing signed was submitted. */
  readonly proof: ProofReading | null;
  /** What checking the signature gave: `ok`, why it is not valid, or why there was none to check. */
  readonly signature: Reason;
  /** The kind of proof that is called for. */
  readonly kind: ProofKind;
  /** The node that carried the proof; `null` when the proof came alone. */
  readonly document: Readonly<Record<string, unknown>> | null;
  /** A member of the document that is not as it was issued; looked for only where the signature is valid. */
  readonly altered: AlteredMember | null;
  /** `null`: the caller did not say whom it trusts, and `iss` is not checked. */
  readonly issuers: readonly string[] | null;
  /** Seconds since 1970. */
  readonly now: number;
  readonly normalizePage: NormalizePage;
}

/** What every other check sees too: the page, the product, and the registry. */
export interface CheckContext extends ProofContext {
  readonly pageUrl: string;
  /** The normalised host of `pageUrl`; `null` when it is no web address. */
  readonly pageHost: string | null;
  readonly productId: string;
  /** `null` where no registry was asked. */
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
 * The text claim of this name, or the answer of a check that has none to compare: that the proof lacks it is the failure of
 * `certificateIntegrity` alone.
 */
export function textClaim(context: CheckContext, name: string): string | CheckResult {
  const { proof } = context;
  if (proof === null) return notRun('nothing_signed');
  if (proof.claims === null) return notRun(proof.claimsFault);
  const value = proof.claims[name];
  if (value === undefined) return notRun('claim_missing');
  return typeof value === 'string' ? value : notRun('claim_wrong_type');
}
