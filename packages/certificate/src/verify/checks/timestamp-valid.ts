import { failed, notRun, type ProofContext, passed } from '../check-context.ts';
import { describeValue, utc } from '../describe.ts';
import type { CheckResult } from '../types.ts';

/** Seconds that `iat` may lie in the future: clocks of laptops can be minutes slow. */
const FUTURE_TOLERANCE = 300;
/** Seconds that a proof is accepted after `exp`. Ours are renewed 2 days before expiry, so a longer tolerance has no use. */
const EXPIRY_TOLERANCE = 60;

/** `iat` and `exp` are in range now (spec "Verify verdicts"). */
export function timestampValid(context: ProofContext): CheckResult {
  const { proof, now } = context;
  if (proof === null) return notRun('nothing_signed');
  if (proof.claims === null) return notRun(proof.claimsFault);
  for (const name of ['iat', 'exp'] as const) {
    const value = proof.claims[name];
    if (value === undefined) return failed('claim_missing', name);
    if (!Number.isSafeInteger(value))
      return failed('claim_wrong_type', `${name}: time`, describeValue(value));
  }
  const { iat, exp } = proof.claims as { iat: number; exp: number };
  // negated so that NaN, from an invalid Date, fails
  if (!(iat <= now + FUTURE_TOLERANCE)) return failed('proof_not_yet_valid', utc(now), utc(iat));
  if (!(exp > now - EXPIRY_TOLERANCE)) return failed('proof_expired', utc(exp), utc(now));
  return passed;
}
