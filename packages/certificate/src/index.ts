export { coverage, coverageOf } from './claims/coverage.ts';
export * from './claims/snapshot.ts';
export {
  type PageCheckQuestion,
  type ReceivedReport,
  reportContradictions,
} from './consistency/page-report.ts';
export {
  imageVerificationContradictions,
  type ReceivedImageVerification,
  type ReceivedVerification,
  verificationContradictions,
} from './consistency/verification.ts';
export {
  assetCertificatePath,
  imageCertificatePath,
  productCertificatePath,
} from './document/addresses.ts';
export * from './document/canonical-source.ts';
export { CANNOT_VERIFY, type CannotVerifyCode, CannotVerifyError } from './offline/cannot-verify-error.ts';
export type { Fetch } from './offline/fetch-jwks.ts';
export { createRemoteKeySet, type RemoteKeySet, type RemoteKeySetOptions } from './offline/remote-key-set.ts';
export {
  createTrust,
  type IssuerKeys,
  type Trust,
  type Trusting,
  type TrustOptions,
} from './offline/trust.ts';
export {
  type ProfileAnswer,
  type VerifyByProfileOptions,
  verifyByProfile,
} from './offline/verify-by-profile.ts';
export {
  claimedProductId,
  type PageInQuestion,
  trustOf,
  type VerifyProductCertificateOptions,
  verifyProductCertificate,
} from './offline/verify-product-certificate.ts';
export {
  isAboutAnotherPage,
  LANDING_WARNINGS,
  PAGE_VERDICTS,
  type PageVerdict,
} from './page-verdicts.ts';
export { PROOF_LIFETIME, PROOF_TYP, type ProofKind } from './proof/proof-rules.ts';
export { type Concluded, type Conclusion, conclude } from './verify/conclusion/conclude.ts';
export { CONCLUSION_TABLE, type ConclusionCode } from './verify/conclusion/conclusion-table.ts';
export { CONCLUSION_LEVELS, type ConclusionLevel } from './verify/conclusion/conclusions.ts';
export * from './verify/index.ts';
