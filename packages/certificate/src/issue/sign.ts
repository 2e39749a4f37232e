import type { KeySet } from '../keys/key-set.ts';
import { encodeBase64url } from '../proof/base64url.ts';
import { verifyProof } from '../verify/verify-proof.ts';
import type { ProofIntent } from './prepare.ts';

/** Signs with one private key, wherever the key is stored. */
export interface Signer {
  /** Key ID, as in the JWKS. */
  readonly kid: string;
  /** RS256 signature over the bytes (RFC 7518 section 3.3). */
  sign(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}

/**
 * Thrown when a new signature does not verify with the signer's own public key; the proof must not be served.
 *
 * @example
 * ```ts
 * import { SelfVerificationError } from '@touchstone/certificate/issue';
 *
 * new SelfVerificationError('signatureValid: signature_mismatch').name; // 'SelfVerificationError'
 * ```
 */
export class SelfVerificationError extends Error {
  override readonly name = 'SelfVerificationError';
}

/**
 * Signs a recorded intent and verifies the result before returning it.
 *
 * @param keySet - the public keys as a verifier would have them
 * @returns the proof as a compact JWS
 * @throws SelfVerificationError if the result does not verify; also whatever the signer throws
 * @example
 * ```ts
 * import { createKeySet } from '@touchstone/certificate';
 * import { jwksOf, prepareProof, signProof } from '@touchstone/certificate/issue';
 * import { TEST_NOW, testClaims } from '@touchstone/certificate/testing';
 *
 * const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
 * const shape = { ...RS256, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
 * const { privateKey, publicKey } = await crypto.subtle.generateKey(shape, true, ['sign', 'verify']);
 * const { n = '', e = '' } = await crypto.subtle.exportKey('jwk', publicKey);
 * const keySet = createKeySet(jwksOf([{ kty: 'RSA', kid: 'key-1', use: 'sig', alg: 'RS256', n, e }]));
 * const signer = {
 *   kid: 'key-1',
 *   sign: async (data: Uint8Array<ArrayBuffer>) =>
 *     new Uint8Array(await crypto.subtle.sign(RS256.name, privateKey, data)),
 * };
 * const jwt = await signProof(prepareProof('product', testClaims(), 'key-1'), signer, keySet, TEST_NOW);
 * jwt.split('.').length; // 3
 * ```
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
  const { signed: _, ...checks } = await verifyProof(jwt, keySet, { now, kind: intent.kind });
  for (const [name, { result, reason }] of Object.entries(checks)) {
    if (result !== true) throw new SelfVerificationError(`${name}: ${reason}`);
  }
  return jwt;
}
