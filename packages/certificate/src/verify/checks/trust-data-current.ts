import { type CheckContext, failed, notRun, passed } from '../check-context.ts';
import { describeValue } from '../describe.ts';
import type { CheckResult } from '../types.ts';

/** Signed coverage counts are still those of the registry (spec "Verify verdicts"). Advises only. */
export function trustDataCurrent({ proof, registry }: CheckContext): CheckResult {
  if (proof === null) return notRun('nothing_signed');
  if (registry === null) return notRun('registry_not_asked');
  if (proof.claims === null) return failed(proof.claimsFault);
  const { certifiedAssets, totalAssets } = proof.claims;
  const { coverage } = registry;
  if (certifiedAssets === coverage.certifiedAssets && totalAssets === coverage.totalAssets) return passed;
  const current = `${coverage.certifiedAssets} of ${coverage.totalAssets}`;
  return failed(
    'coverage_changed',
    current,
    `${describeValue(certifiedAssets)} of ${describeValue(totalAssets)}`,
  );
}
