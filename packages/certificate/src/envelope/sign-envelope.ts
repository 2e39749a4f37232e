import { SelfVerificationError, type Signer } from '../issue/sign.ts';
import type { KeySet } from '../keys/key-set.ts';
import { encodeBase64url } from '../proof/base64url.ts';
import { credentialOf } from './credential.ts';
import { readEnvelope } from './read-envelope.ts';

/** Media type of a credential in an envelope (VC-JOSE-COSE, section 6.1). */
export const VC_JWT = 'application/vc+jwt';
/** The JWS header `typ`; that of proofs is another, so that none is taken for the other. */
export const ENVELOPE_TYP = 'vc+jwt';

/** Seals a certificate in an envelope as a credential.
 *
 * @param certificate - of a product, with its proof
 * @param signer - a key of proofs of its issuer
 * @param keySet - the public keys as a verifier would have them
 * @returns a compact JWS; RS256 is deterministic, so one certificate and key give one envelope
 * @throws TypeError if the certificate has no readable proof
 * @throws SelfVerificationError if the result does not verify; also whatever the signer throws
 * @example
 * ```ts
 * import { createKeySet } from '@touchstone/certificate';
 * import { signEnvelope } from '@touchstone/certificate/envelope';
 * import { decodeBase64url } from '@touchstone/certificate/issue';
 * import { createTestIssuer } from '@touchstone/certificate/testing';
 *
 * const issuer = await createTestIssuer();
 * const signer = {
 *   kid: issuer.kid,
 *   sign: async (data: Uint8Array) => {
 *     const [header = '', payload = ''] = new TextDecoder().decode(data).split('.');
 *     const text = (part: string) => new TextDecoder().decode(decodeBase64url(part) ?? new Uint8Array());
 *     const jws = await issuer.signRaw(text(header), text(payload));
 *     return decodeBase64url(jws.slice(jws.lastIndexOf('.') + 1)) ?? new Uint8Array();
 *   },
 * };
 * const envelope = await signEnvelope(await issuer.certificate(), signer, createKeySet(issuer.jwks));
 * envelope.split('.').length; // 3
 * ```
 */
export async function signEnvelope(certificate: object, signer: Signer, keySet: KeySet): Promise<string> {
  const signingInput = encodeEnvelope({ alg: 'RS256', kid: signer.kid }, credentialOf(certificate));
  const bytes = new TextEncoder().encode(signingInput);
  const envelope = `${signingInput}.${encodeBase64url(await signer.sign(bytes))}`;
  const parts = readEnvelope(envelope);
  if (typeof parts === 'string') throw new SelfVerificationError(parts);
  const key = keySet.find(signer.kid);
  if (typeof key === 'string') throw new SelfVerificationError(key);
  if (!(await keySet.verify(key, parts.signature, parts.signingInput)))
    throw new SelfVerificationError('envelope_signature_invalid');
  return envelope;
}

/**
 * The bytes to sign of a credential in an envelope.
 *
 * @example
 * ```ts
 * import { encodeEnvelope } from '@touchstone/certificate/envelope';
 *
 * encodeEnvelope({ alg: 'RS256', kid: 'key-1' }, { type: 'VerifiableCredential' }).split('.').length; // 2
 * ```
 */
export function encodeEnvelope(
  { alg, kid }: { readonly alg: string; readonly kid: string },
  credential: object,
): string {
  const encoded = (value: object) => encodeBase64url(new TextEncoder().encode(JSON.stringify(value)));
  return `${encoded({ alg, kid, typ: ENVELOPE_TYP, cty: 'vc' })}.${encoded(credential)}`;
}
