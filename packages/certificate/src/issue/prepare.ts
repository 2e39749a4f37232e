import type { Claims } from '../claims/build-claims.ts';
import { encodeBase64url } from '../proof/base64url.ts';
import { MAX_PROOF_LENGTH } from '../proof/compact-jws.ts';
import { encodeHeader } from '../proof/proof-header.ts';
import type { ProofKind } from '../proof/proof-rules.ts';

/**
 * The exact bytes to be signed. They are recorded before signing: RS256 is deterministic, so signing them again with
 * the same key gives the same proof.
 */
export interface ProofIntent {
  readonly kind: ProofKind;
  /** Key ID of the key to sign with. */
  readonly kid: string;
  /** base64url of the JOSE header. */
  readonly header: string;
  /** base64url of the claims. */
  readonly payload: string;
}

/** Length of an RS256 signature of a 4096-bit key as base64url, the longest that we issue. */
const LONGEST_SIGNATURE = 683;

/**
 * Prepares a proof: fixes its bytes before they are signed.
 *
 * @throws RangeError if the proof would exceed 8 KB, which verifiers reject
 * @example
 * ```ts
 * import { prepareProof } from '@touchstone/certificate/issue';
 * import { testClaims } from '@touchstone/certificate/testing';
 *
 * prepareProof('product', testClaims(), 'key-1').kid; // 'key-1'
 * ```
 */
export function prepareProof(kind: ProofKind, claims: Claims, kid: string): ProofIntent {
  const header = encodeHeader(kind, kid);
  const payload = encodeBase64url(new TextEncoder().encode(JSON.stringify(claims)));
  if (header.length + payload.length + LONGEST_SIGNATURE + 2 > MAX_PROOF_LENGTH) {
    throw new RangeError(`the claims of this ${kind} make a proof of over ${MAX_PROOF_LENGTH} bytes`);
  }
  return { kind, kid, header, payload };
}
