export type { Fetch } from '../keys/fetch-jwks.ts';
export { createRemoteKeySet, type RemoteKeySet, type RemoteKeySetOptions } from '../keys/remote-key-set.ts';
export { CANNOT_VERIFY, type CannotVerifyCode, CannotVerifyError } from './cannot-verify-error.ts';
export { createTrust, type Trust, type Trusting, type TrustOptions } from './trust.ts';
export { type ProfileAnswer, type VerifyByProfileOptions, verifyByProfile } from './verify-by-profile.ts';
export {
  type PageInQuestion,
  trustOf,
  type VerifyProductCertificateOptions,
  verifyProductCertificate,
} from './verify-product-certificate.ts';
