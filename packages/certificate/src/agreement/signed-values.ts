import { readProof } from '../proof/compact-jws.ts';
import { isDigests } from '../proof/members.ts';
import type { VerificationResult } from '../verify/result.ts';
import type { OfferPrice } from './offers.ts';
import type { SignedValues } from './types.ts';

type Node = Readonly<Record<string, unknown>>;

/** The parts of a verification result that say whether the certificate is good. */
interface Verified {
  readonly signed?: VerificationResult['signed'] | undefined;
  readonly checks: Readonly<
    Partial<Record<'signatureValid' | 'certificateIntegrity', boolean | null | undefined>>
  >;
}

/** Pictures that are compared; a certificate may have 250. */
const MAX_PICTURES = 250;

/**
 * What a certificate signs about its product, for `compareStatements`. Members of the document count only if its proof binds them
 * (docs/format.md, section 4); of older proofs only the claims do.
 *
 * @param document - the certificate as it was verified
 * @param result - its verification
 * @returns `undefined` unless the signature and the integrity of the certificate were checked and found good
 * @example
 * ```ts
 * import { signedValuesOf } from '@touchstone/certificate/agreement';
 * import { createKeySet, verify } from '@touchstone/certificate/verify';
 * import { createTestIssuer, TEST_ISSUER, TEST_NOW } from '@touchstone/certificate/testing';
 *
 * const issuer = await createTestIssuer();
 * const document = await issuer.certificate();
 * const result = await verify({
 *   document,
 *   pageUrl: 'https://shop.example/products/cup',
 *   productId: '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6',
 *   keySet: createKeySet(issuer.jwks),
 *   issuers: [TEST_ISSUER],
 *   now: TEST_NOW,
 * });
 * signedValuesOf(document, result)?.sku; // 'CUP-1'
 * ```
 */
export function signedValuesOf(document: Node, { signed, checks }: Verified): SignedValues | undefined {
  if (signed === undefined || checks.signatureValid !== true || checks.certificateIntegrity !== true)
    return undefined;
  const { productName, storeName, domain } = signed;
  const bound = boundMembers(document);
  const propertyOf = boundProperties(bound);
  const [brand, sku, gtin] = [propertyOf('brand'), propertyOf('sku'), propertyOf('gtin')];
  const pictures = bound('svc:images')
    .slice(0, MAX_PICTURES)
    .flatMap(({ contentUrl }) => (typeof contentUrl === 'string' ? [contentUrl] : []));
  return {
    productName,
    storeName,
    domain,
    ...(brand === undefined ? {} : { brand }),
    ...(sku === undefined ? {} : { sku }),
    ...(gtin === undefined ? {} : { gtin }),
    ...(pictures.length === 0 ? {} : { pictures }),
  };
}

/** The price that a certificate signs, if its store signs prices. */
export interface SignedPrice extends OfferPrice {
  /** The day (UTC) on which the shop first stated this price; YYYY-MM-DD. */
  readonly since: string;
}

/** Names of the additional properties that state a signed price: amount, currency, day, and whether it includes tax, if that is known. */
export const PRICE_PROPERTIES = {
  amount: 'price',
  currency: 'priceCurrency',
  since: 'priceSince',
  includesTax: 'valueAddedTaxIncluded',
} as const;

/**
 * The price that a certificate signs: a dated one, among its additional properties. The arguments are those of `signedValuesOf`.
 *
 * @returns `undefined` unless the certificate was found good, and signs amount, currency and day
 * @example
 * ```ts
 * import { signedPriceOf } from '@touchstone/certificate/agreement';
 *
 * signedPriceOf({ additionalProperty: [] }, { checks: { signatureValid: false } }); // undefined
 * ```
 */
export function signedPriceOf(document: Node, { signed, checks }: Verified): SignedPrice | undefined {
  if (signed === undefined || checks.signatureValid !== true || checks.certificateIntegrity !== true)
    return undefined;
  const propertyOf = boundProperties(boundMembers(document));
  const [amount, currency, since, tax] = Object.values(PRICE_PROPERTIES).map(propertyOf);
  if (amount === undefined || !/^\d{1,12}(\.\d{1,4})?$/.test(amount)) return undefined;
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return undefined;
  if (since === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(since)) return undefined;
  return { amount, currency, since, ...(tax === undefined ? {} : { includesTax: tax === 'true' }) };
}

/** Returns the value of an additional property that the proof binds. */
function boundProperties(bound: (name: string) => readonly Node[]): (name: string) => string | undefined {
  const properties = bound('additionalProperty');
  return (name) => {
    const value = properties.find((property) => property.name === name)?.value;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
}

/** Returns the objects of a member, if the proof binds it; the integrity check has compared them with the proof. */
export function boundMembers(document: Node): (name: string) => readonly Node[] {
  const { proof } = document;
  const jwt = typeof proof === 'object' && proof !== null ? (proof as Node).jwt : undefined;
  const members = readProof(jwt).claims?.members;
  return (name) => {
    if (!isDigests(members) || !Object.hasOwn(members, name) || !Object.hasOwn(document, name)) return [];
    return [document[name]]
      .flat()
      .filter((entry): entry is Node => typeof entry === 'object' && entry !== null && !Array.isArray(entry));
  };
}
