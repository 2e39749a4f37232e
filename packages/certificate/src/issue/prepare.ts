import type { Claims } from '../claims/build-claims.ts';
import { encodeBase64url } from '../proof/base64url.ts';
import { MAX_PROOF_LENGTH } from '../proof/compact-jws.ts';
import { encodeHeader } from '../proof/proof-header.ts';
import type { ProofKind } from '../proof/proof-rules.ts';

/**
 * What will be signed, to the byte. It is recorded before anyone signs: RS256 is deterministic,
 * so whoever signs these bytes with the named key makes the same proof.
 */
export interface ProofIntent {
  readonly kind: ProofKind;
  /** Name of the key that is to sign. */
  readonly kid: string;
  /** base64url of the JOSE header. */
  readonly header: string;
  /** base64url of the claims. */
  readonly payload: string;
}

/** Length of an RS256 signature of a 4096-bit key as base64url; the longest that we make. */
const LONGEST_SIGNATURE = 683;

/**
 * Prepares a proof: fixes its bytes before they are signed.
 *
 * @throws RangeError when the proof would be over 8 KB, which no verifier accepts
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
