import type { ProductSnapshot } from '@touchstone/certificate';
import { MOST_AHEAD, type ProofRecord } from './proof-table.ts';

/** A proof is never served with less than this left, in milliseconds: 2 days, one in a cache and one on a page. */
const LEAST_LEFT = 2 * 86_400_000;

/** A proof at hand, and what its document is rendered from. */
export interface Proof {
  /** Of its record. */
  readonly rowId: string;
  readonly jwt: string;
  readonly kid: string;
  readonly snapshot: ProductSnapshot;
  readonly issuedAt: Date;
  /** The proof's own end. */
  readonly expiresAt: Date;
  /** It may be served from this moment on, and up to that; before and after, it takes a new generation. */
  readonly servedFrom: Date;
  readonly servedUntil: Date;
}

/** A proof of which no document is rendered now. */
export type ProofAhead = Omit<Proof, 'snapshot'>;

/** @param signature - base64url */
export function proofOf(record: ProofRecord, signature: string): Proof {
  const { rowId, intent, snapshot, issuedAt, expiresAt } = record;
  return {
    rowId,
    jwt: `${intent.header}.${intent.payload}.${signature}`,
    kid: intent.kid,
    snapshot,
    issuedAt,
    expiresAt,
    servedFrom: servedFrom(issuedAt),
    servedUntil: new Date(expiresAt.getTime() - LEAST_LEFT),
  };
}

/** Whether a proof with this record may be served now. */
export function isServable({ keyRevoked, issuedAt, expiresAt }: ProofRecord, now: Date): boolean {
  if (keyRevoked || now < servedFrom(issuedAt)) return false;
  return expiresAt.getTime() - now.getTime() >= LEAST_LEFT;
}

const servedFrom = (issuedAt: Date) => new Date(issuedAt.getTime() - MOST_AHEAD);
