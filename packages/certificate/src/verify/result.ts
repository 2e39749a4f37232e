import type { Conclusion } from './conclusion/conclude.ts';
import type { LogFinding } from './log-reasons.ts';
import type { Reason } from './reasons.ts';
import type { CheckName, CheckResult, SignedClaims, VerifyStatus } from './types.ts';
import type { Withdrawal, WithdrawnCheckReason } from './withdrawal-reasons.ts';

/** Spec "Verification result (product-keyed)", and `checkDetails`: each check with its reason. */
export interface VerificationResult {
  readonly status: VerifyStatus;
  /** The requested product. */
  readonly productId: string;
  /** The registry's domain; absent if no registry was consulted. Never taken from an unverified claim. */
  readonly issuedFor?: string;
  /** The signed claims; absent unless the signature is valid and the issuer trusted. */
  readonly signed?: SignedClaims;
  /** The results alone, as in the spec. */
  readonly checks: Readonly<Record<CheckName, boolean | null>>;
  readonly checkDetails: Readonly<Record<CheckName, CheckResult<Reason | WithdrawnCheckReason>>>;
  /** `code: sentence`. */
  readonly warnings: readonly string[];
  /** `code: sentence`, one per reason of the load-bearing checks that are false; empty unless `status` is `failed`. */
  readonly errors: readonly string[];
  /** Whether the certificate has been withdrawn; absent if nobody looked (`withWithdrawal`). */
  readonly withdrawal?: Withdrawal;
  /** Whether the proof is in a transparency log; absent if nobody looked (`withLog`). */
  readonly log?: LogFinding;
  /** What a reader may conclude; without the page itself, whether it shows the signed product stays open. */
  readonly conclusion: Conclusion;
  /** Name and version of the verifier. */
  readonly verifier: string;
}
