import { type Conclusion, conclude } from '@touchstone/certificate';
import { PROFILE_CHECKS } from '@touchstone/certificate/verify';
import type { DocumentResult, ProofResult } from './judge.ts';

/** The status of a certificate by itself, in the terms of the table of conclusions. */
type DocumentStatus = 'verified' | 'failed' | 'unverified' | 'undetermined';

/** What is concluded from a certificate, a proof, or an image with its certificate. */
export function concludeDocument(result: DocumentResult | ProofResult): {
  readonly status: DocumentStatus;
  readonly conclusion: Conclusion;
} {
  const verification = result.kind === 'document' ? result.verification : undefined;
  if (verification !== undefined) return verification;
  const { checks, signed, warnings, errors, profiles } = result.profiles;
  const results = Object.fromEntries(PROFILE_CHECKS.map((name) => [name, checks[name].result]));
  const status = statusOf(result.profiles);
  // of an image, its bytes are what is compared
  const agreement = profiles.full === 'trusted' ? 'same' : undefined;
  const conclusion = conclude(status, { checks: results, signed, warnings, errors, agreement });
  return { status, conclusion };
}

function statusOf({ checks, profiles }: DocumentResult['profiles']): DocumentStatus {
  if (checks.signatureValid.result === null) return 'unverified';
  if (Object.values(checks).some(({ result }) => result === false)) return 'failed';
  return profiles.standard === 'trusted' ? 'verified' : 'undetermined';
}
