import { PROOF_TYP } from '../../proof/proof-rules.ts';
import { type CheckContext, failed, notRun, passed } from '../check-context.ts';
import type { CheckResult } from '../types.ts';
import { productIdMatches } from './product-id-matches.ts';

/**
 * Signed coverage counts equal those of the registry (spec "Verify verdicts"). Advisory only. `false` means that the
 * catalogue has changed since; without counts of this product to compare, the check does not run.
 */
export function trustDataCurrent(context: CheckContext): CheckResult {
  const { proof, registry } = context;
  if (proof === null) return notRun('nothing_signed');
  if (registry === null) return notRun('registry_not_asked');
  if (proof.claims === null) return notRun(proof.claimsFault);
  if (proof.typ !== PROOF_TYP.product) return notRun('proof_kind_wrong');
  const product = productIdMatches(context);
  if (product.result !== true) return notRun(product.reason);
  const { certifiedAssets, totalAssets } = proof.claims;
  for (const count of [certifiedAssets, totalAssets]) {
    if (count === undefined) return notRun('claim_missing');
    if (!Number.isSafeInteger(count)) return notRun('claim_wrong_type');
  }
  const { coverage } = registry;
  if (certifiedAssets === coverage.certifiedAssets && totalAssets === coverage.totalAssets) return passed;
  const current = `${coverage.certifiedAssets} of ${coverage.totalAssets}`;
  return failed('coverage_changed', current, `${certifiedAssets} of ${totalAssets}`);
}
