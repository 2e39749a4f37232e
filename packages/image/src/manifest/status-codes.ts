/**
 * Codes that say whether we know the signer, not whether the bytes are intact. An expired or revoked credential is not
 * among them: without a time stamp it leaves open whether the signature was made while it held.
 */
const TRUST_CODES: readonly string[] = [
  'signingCredential.untrusted',
  'timeStamp.untrusted',
  'cawg.identity.untrusted',
  'cawg.x509.signing_credential.untrusted',
];

export function isTrustCode(code: string): boolean {
  return TRUST_CODES.includes(code);
}
