import type { CheckName, CheckResult, VerifyStatus } from './types.ts';

/** The six checks that decide the verdict; the other three are advisory. */
export const LOAD_BEARING_CHECKS = [
  'signatureValid',
  'certificateIntegrity',
  'timestampValid',
  'boundToDomain',
  'productIdMatches',
  'boundToUrl',
] as const satisfies readonly CheckName[];

/**
 * Combines the nine checks into one of three verdicts (spec "Verify verdicts"). Fails closed: `verified` requires that
 * all six load-bearing checks are `true`; a check that did not run never counts as passed.
 */
export function statusOf(signed: boolean, details: Readonly<Record<CheckName, CheckResult>>): VerifyStatus {
  if (!signed) return 'unverified';
  return LOAD_BEARING_CHECKS.every((name) => details[name].result === true) ? 'verified' : 'failed';
}
