export {
  type AssetClaims,
  assetClaims,
  type ControlClaim,
  type ImageClaims,
  type Issuance,
  imageClaims,
  type ProductClaims,
  productClaims,
  type StatusClaim,
  type StatusEntry,
} from '../claims/build-claims.ts';
export { coverage, coverageOf } from '../claims/coverage.ts';
export type { ImageDomains } from '../claims/snapshot.ts';
export {
  type Addresses,
  assetCertificatePath,
  imageCertificatePath,
  jsonLdContext,
  productCertificatePath,
  verifyUrl,
} from '../document/addresses.ts';
export { assetCertificate, identityOnlyAsset } from '../document/asset-certificate.ts';
export { fullImageCertificate, minimalImageCertificate } from '../document/image-certificate.ts';
export {
  identityOnlyProduct,
  productCertificate,
  type SignedProof,
  VERIFICATION_TOOL,
} from '../document/product-certificate.ts';
export { jwksOf } from '../keys/key-set.ts';
export { decodeBase64url, encodeBase64url } from '../proof/base64url.ts';
export { canonicalJson } from '../proof/canonical-json.ts';
export {
  type BoundMembers,
  bindMembers,
  DOCUMENT_FORMS,
  type DocumentForm,
  type Sha256,
} from '../proof/members.ts';
export { PROOF_LIFETIME, PROOF_TYP, type ProofKind } from '../proof/proof-rules.ts';
export { type ProofIntent, prepareProof } from './prepare.ts';
export { SelfVerificationError, type Signer, signProof } from './sign.ts';
