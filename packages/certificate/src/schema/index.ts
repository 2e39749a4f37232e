export { AssetCertificateSchema, NftSchema } from './asset-certificate.ts';
export {
  FullImageCertificateSchema,
  ImageCertificateSchema,
  MinimalImageCertificateSchema,
} from './image-certificate.ts';
export { ImageVerificationRequestSchema, ImageVerificationResultSchema } from './image-verification.ts';
export { JwksSchema } from './jwks.ts';
export {
  FACT_DOUBTS,
  type Fact,
  type FactExplanation,
  FactExplanationSchema,
  FactSchema,
  PageCheckReportSchema,
  PageCheckRequestSchema,
  type PageClaim,
  type PageReport,
  RESEMBLANCE_KINDS,
  type RelatedToPage,
} from './page-check.ts';
export { ContentCredentialsSchema, EntryPointSchema, JsonLdContextSchema, type Wire } from './parts.ts';
export {
  FullProductCertificateSchema,
  IdentityOnlyProductSchema,
  ProductCertificateSchema,
  TrustSchema,
} from './product-certificate.ts';
export {
  CheckResultSchema,
  ChecksSchema,
  ProductVerificationRequestSchema,
  VerificationResultSchema,
  WithdrawalSchema,
} from './product-verification.ts';
export { ValidationErrorSchema } from './validation-error.ts';
