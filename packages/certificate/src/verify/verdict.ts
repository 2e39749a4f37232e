import { type CheckName, type CheckResult, LOAD_BEARING_CHECKS, type VerifyStatus } from './types.ts';

/**
 * Combines nine checks into one of three verdicts (spec "Verify verdicts"). Fails closed: only six times `true` is
 * `verified`; what did not run is never taken for a pass.
 */
export function statusOf(signed: boolean, details: Readonly<Record<CheckName, CheckResult>>): VerifyStatus {
  if (!signed) return 'unverified';
  return LOAD_BEARING_CHECKS.every((name) => details[name].result === true) ? 'verified' : 'failed';
}
