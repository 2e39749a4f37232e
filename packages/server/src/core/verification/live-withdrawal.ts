import type { RegistryFacts, VerificationResult } from '@touchstone/certificate';
import { type Withdrawal, withWithdrawal } from '@touchstone/certificate/withdrawal';
import type { LoadedProduct } from '../certificates/load-snapshot.ts';

/** What the registry knows about a product, its withdrawals included. */
export interface ProductRegistryFacts extends RegistryFacts {
  /** Proofs issued until then were withdrawn for good; milliseconds since 1970. Absent: none was. */
  readonly withdrawnAt?: number;
  /** Its host belongs to another merchant now, even if `withdrawnAt` does not say so yet. */
  readonly hostLost?: true;
  /** It is not active for another reason, and may be again. */
  readonly suspended?: true;
}

/** Of a product, what tells whether its proofs are withdrawn. */
export function withdrawalFacts({
  withdrawnAt,
  why,
}: LoadedProduct): Pick<ProductRegistryFacts, 'withdrawnAt' | 'hostLost' | 'suspended'> {
  return {
    ...(withdrawnAt === undefined ? {} : { withdrawnAt: withdrawnAt.getTime() }),
    ...(why === 'host_lost' ? { hostLost: true } : why === undefined ? {} : { suspended: true }),
  };
}

/** The result with what the registry says now of a withdrawal: status lists are for others. */
export function withLiveWithdrawal(
  result: VerificationResult,
  facts: ProductRegistryFacts,
): VerificationResult {
  return withWithdrawal(result, liveWithdrawal(result, facts));
}

function liveWithdrawal(
  { signed, productId }: VerificationResult,
  { withdrawnAt, hostLost, suspended, stale }: ProductRegistryFacts,
): Withdrawal {
  // the facts are of another product than the proof
  if (signed === undefined || signed.productId !== productId)
    return { status: null, reason: 'not_looked_at' };
  const isWithdrawn = withdrawnAt !== undefined && Date.parse(signed.issuedAt) <= withdrawnAt;
  if (isWithdrawn || hostLost === true) return { status: 'invalid', reason: 'withdrawn' };
  if (suspended === true) return { status: 'suspended', reason: 'suspended' };
  // read before the database was lost: it may have been withdrawn since
  if (stale === true) return { status: null, reason: 'registry_outdated' };
  return { status: 'valid', reason: 'not_withdrawn' };
}
