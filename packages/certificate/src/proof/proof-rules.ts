/** The three kinds of proof. A proof of one kind is never valid as another. */
export type ProofKind = 'product' | 'asset' | 'image';

/** The JWS header `typ` of each kind: explicit typing by RFC 8725 section 3.11. */
export const PROOF_TYP: Readonly<Record<ProofKind, string>> = {
  product: 'product-certificate+jwt',
  asset: 'asset-certificate+jwt',
  image: 'image-certificate+jwt',
};

/** A proof expires this many seconds after it was issued: 7 days (spec "Limits"). */
export const PROOF_LIFETIME = 604_800;

/**
 * Type of a claim: text, seconds since 1970, a count, a percentage, a map of digests, or how and when something was proven: a
 * method with the time of a check, or `none` without.
 */
export type ClaimType = 'text' | 'time' | 'count' | 'percent' | 'digests' | 'method and time';

const COMMON = {
  iss: 'text',
  iat: 'time',
  exp: 'time',
  domain: 'text',
  url: 'text',
  productId: 'text',
  externalProductId: 'text',
  productName: 'text',
  storeName: 'text',
  storeUrl: 'text',
} as const satisfies Record<string, ClaimType>;

/** Every claim a proof must carry (spec "Proof JWT"), per kind. */
export const REQUIRED_CLAIMS: Readonly<Record<ProofKind, Readonly<Record<string, ClaimType>>>> = {
  product: { ...COMMON, certifiedAssets: 'count', totalAssets: 'count', coveragePercent: 'percent' },
  asset: { ...COMMON, assetId: 'text', contentUrl: 'text' },
  image: { ...COMMON, imageId: 'text', contentUrl: 'text' },
};
