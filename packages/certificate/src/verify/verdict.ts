import type { CheckName, CheckResult, VerifyStatus } from './types.ts';

/** The six that decide the verdict; the other three advise. */
export const LOAD_BEARING_CHECKS = [
  'signatureValid',
  'certificateIntegrity',
  'timestampValid',
  'boundToDomain',
  'productIdMatches',
  'boundToUrl',
] as const satisfies readonly CheckName[];

/**
 * Combines nine checks into one of three verdicts (spec "Verify verdicts"). Fails closed: only six times `true` is
 * `verified`; what did not run is never taken for a pass.
 */
export function statusOf(signed: boolean, details: Readonly<Record<CheckName, CheckResult>>): VerifyStatus {
  if (!signed) return 'unverified';
  return LOAD_BEARING_CHECKS.every((name) => details[name].result === true) ? 'verified' : 'failed';
}
