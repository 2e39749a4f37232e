import { type CheckContext, failed, notRun, passed } from '../check-context.ts';
import type { CheckResult } from '../types.ts';

/** Signed coverage counts are still those of the registry (spec "Verify verdicts"). Advises only. */
export function trustDataCurrent({ proof, registry }: CheckContext): CheckResult {
  if (proof === null) return notRun('nothing_signed');
  if (registry === null) return notRun('registry_not_asked');
  if (proof.claims === null) return failed(proof.claimsFault);
  const { certifiedAssets, totalAssets } = registry.coverage;
  const signed = `${proof.claims.certifiedAssets} of ${proof.claims.totalAssets}`;
  const current = `${certifiedAssets} of ${totalAssets}`;
  return signed === current ? passed : failed('coverage_changed', current, signed);
}
