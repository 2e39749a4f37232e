export { comparePageUrls, type UrlReason } from '../binding/compare-page-urls.ts';
export { hostOf, normalizeHost, sameHost } from '../binding/hosts.ts';
export { normalizePageUrl, withRouteOf } from '../binding/normalize-page-url.ts';
export { isUuid } from '../binding/product-ids.ts';
export { createKeySet, type Jwks, type KeyFault, type KeySet } from '../keys/key-set.ts';
export type { RsaPublicJwk, VerifyRs256 } from '../keys/rsa-key.ts';
export { webCryptoRs256, webCryptoSha256 } from '../keys/web-crypto.ts';
export type { Sha256 } from '../proof/members.ts';
export type { ProofFault, ProofHeader } from '../proof/proof-header.ts';
export { VERIFIER, VERSION } from '../version.ts';
export {
  LOG_NOTES,
  LOG_REASONS,
  LOG_STEPS,
  type LogFinding,
  type LogNote,
  type LogReason,
  type LogStatus,
  type LogStep,
} from './log-reasons.ts';
export { verifyProfiles } from './profile.ts';
export * from './profile-types.ts';
export { note, REASONS, type Reason } from './reasons.ts';
export type { VerificationResult } from './result.ts';
export * from './types.ts';
export { LOAD_BEARING_CHECKS } from './verdict.ts';
export { verify } from './verify.ts';
export { type ProofVerification, type VerifyProofOptions, verifyProof } from './verify-proof.ts';
export * from './withdrawal-reasons.ts';
