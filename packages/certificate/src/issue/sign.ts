import { encodeBase64url } from '../keys/base64url.ts';
import type { KeySet } from '../keys/key-set.ts';
import { verifyProof } from '../verify/verify-proof.ts';
import type { ProofIntent } from './prepare.ts';

/** Holds one private key, wherever it lives. */
export interface Signer {
  readonly kid: string;
  /** RS256 signature over the bytes (RFC 7518 section 3.3). */
  sign(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}

/** A signer made something that its own public key does not accept; nothing of it may be served. */
export class SelfVerificationError extends Error {
  override readonly name = 'SelfVerificationError';
}

/**
 * Signs what was recorded and verifies what was signed, before anybody sees it.
 *
 * @param keySet - the public keys as a verifier would have them
 * @returns the proof as a compact JWS
 * @throws SelfVerificationError when the result does not verify; whatever the signer throws
 */
export async function signProof(
  intent: ProofIntent,
  signer: Signer,
  keySet: KeySet,
  now: Date,
): Promise<string> {
  if (signer.kid !== intent.kid) {
    throw new SelfVerificationError(`signer ${signer.kid} asked to sign for ${intent.kid}`);
  }
  const signingInput = `${intent.header}.${intent.payload}`;
  const signature = await signer.sign(new TextEncoder().encode(signingInput));
  const jwt = `${signingInput}.${encodeBase64url(signature)}`;
  const checks = await verifyProof(jwt, keySet, { now, kind: intent.kind });
  for (const [name, { result, reason }] of Object.entries(checks)) {
    if (result !== true) throw new SelfVerificationError(`${name}: ${reason}`);
  }
  return jwt;
}
