export { comparePageUrls, hostOf, isUuid, normalizeHost, normalizePageUrl, sameHost } from '../binding.ts';
export { createKeySet, type Jwks, type KeySet, type VerifyRs256 } from '../keys/key-set.ts';
export type { RsaPublicJwk } from '../keys/rsa-key.ts';
export { webCryptoRs256 } from '../keys/web-crypto.ts';
export { note, REASONS, type Reason } from './reasons.ts';
export * from './types.ts';
export { verify } from './verify.ts';
export { type ProofVerification, type VerifyProofOptions, verifyProof } from './verify-proof.ts';
