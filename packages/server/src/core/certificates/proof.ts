import type { ProductSnapshot } from '@touchstone/certificate';
import { MOST_AHEAD, type ProofRecord, type RecordedSignature } from './proof-table.ts';

/** Milliseconds that a served proof has left at least: 2 days, one for caches and one for pages. */
const LEAST_LEFT = 2 * 86_400_000;

/** A signed proof, and the snapshot its document is rendered from. */
export interface Proof {
  /** The id of its record. */
  readonly rowId: string;
  readonly jwt: string;
  readonly kid: string;
  readonly snapshot: ProductSnapshot;
  readonly issuedAt: Date;
  /** When the proof itself expires. */
  readonly expiresAt: Date;
  /** Its inclusion in the transparency log; absent if its documents carry none. */
  readonly logProof?: string;
  /** Served between these two; before and after, a new generation is needed. */
  readonly servedFrom: Date;
  readonly servedUntil: Date;
}

/** A proof issued in advance, whose document is not rendered yet. */
export type ProofAhead = Omit<Proof, 'snapshot'>;

/** A proof by its record and what was recorded when it was signed. */
export function proofOf(record: ProofRecord, { signature, logProof }: RecordedSignature): Proof {
  const { rowId, intent, snapshot, issuedAt, expiresAt } = record;
  return {
    rowId,
    jwt: `${intent.header}.${intent.payload}.${signature}`,
    kid: intent.kid,
    snapshot,
    issuedAt,
    expiresAt,
    ...(logProof === undefined ? {} : { logProof }),
    servedFrom: servedFrom(issuedAt),
    servedUntil: new Date(expiresAt.getTime() - LEAST_LEFT),
  };
}

/**
 * Whether a proof with this record may be served now.
 *
 * @param withdrawnAt - of its product
 */
export function isServable(
  { keyRevoked, issuedAt, expiresAt }: ProofRecord,
  now: Date,
  withdrawnAt: Date | undefined,
): boolean {
  if (keyRevoked || now < servedFrom(issuedAt)) return false;
  if (withdrawnAt !== undefined && issuedAt <= withdrawnAt) return false;
  return expiresAt.getTime() - now.getTime() >= LEAST_LEFT;
}

const servedFrom = (issuedAt: Date) => new Date(issuedAt.getTime() - MOST_AHEAD);
