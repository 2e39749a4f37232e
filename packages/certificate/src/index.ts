export { PROOF_LIFETIME, PROOF_TYP, type ProofKind } from './claims/kinds.ts';
export {
  assetCertificatePath,
  imageCertificatePath,
  productCertificatePath,
} from './document/addresses.ts';
export * from './document/canonical-source.ts';
export { coverage, coverageOf } from './document/coverage.ts';
export type { Fetch } from './keys/fetch-jwks.ts';
export { createRemoteKeySet, type RemoteKeySet, type RemoteKeySetOptions } from './keys/remote-key-set.ts';
export { CANNOT_VERIFY, type CannotVerifyCode, CannotVerifyError } from './offline/cannot-verify-error.ts';
export { createTrust, type Trust, type Trusting, type TrustOptions } from './offline/trust.ts';
export {
  type ProfileAnswer,
  type VerifyByProfileOptions,
  verifyByProfile,
} from './offline/verify-by-profile.ts';
export {
  type PageInQuestion,
  trustOf,
  type VerifyProductCertificateOptions,
  verifyProductCertificate,
} from './offline/verify-product-certificate.ts';
export { PAGE_VERDICTS, type PageVerdict } from './page-verdicts.ts';
export * from './snapshot.ts';
export * from './verify/index.ts';
