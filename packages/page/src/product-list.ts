import type { PageReport } from '@touchstone/certificate/schema';
import {
  type CheckName,
  comparePageUrls,
  hostOf,
  type SignedClaims,
  sameHost,
  type VerificationResult,
} from '@touchstone/certificate/verify';
import type { CheckedNode } from './certificate-nodes.ts';
import type { PageReading } from './types.ts';

/** Products listed in a report. */
const MAX_LISTED = 50;
/** Characters of their names and addresses, so that other parts of the report have space. */
const MAX_LISTED_TEXT = 16_000;

/** A product of a list, with signed values only. */
export type ListedProduct = NonNullable<PageReport['mc4p']['list']>[number];

/** The certified products of a page that lists products of its own shop. */
export interface ProductList {
  /** In the order of the page; bounded in number and size. */
  readonly listed: readonly ListedProduct[];
  /** All of them, those with an expired certificate included. */
  readonly total: number;
  readonly expired: number;
}

/**
 * The products that a page lists with their certificates, if it is a page of their shop that states no product of its own, such as a
 * list, a home page or search results: at least two, all with a valid signature for this host and one store, whose control of the host
 * is proven. Their certificates are for other pages, so that the page itself is not certified.
 *
 * Certificates without a proof and those of products that the registry no longer serves are left out: they claim nothing.
 *
 * @returns `undefined` for any other page
 */
export function productList(
  nodes: readonly CheckedNode[],
  pageUrl: string,
  { statesProduct, canonicalUrl }: PageReading,
): ProductList | undefined {
  // absent: whether there is a product was not read
  if (statesProduct !== false) return undefined;
  const claiming = nodes.filter((node) => !claimsNothing(node));
  const products = new Map<string, ListedProduct>();
  let storeUrl: string | undefined;
  for (const node of claiming) {
    const signed = node.kind === 'checked' ? listableClaims(node.result) : undefined;
    if (node.kind !== 'checked' || signed === undefined) return undefined;
    storeUrl ??= signed.storeUrl;
    const isOfAnotherPage = canonicalUrl === null || !comparePageUrls(signed.url, canonicalUrl).equal;
    const isOfThisStore = signed.storeUrl === storeUrl && sameHost(hostOf(signed.url), hostOf(pageUrl));
    if (!isOfAnotherPage || !isOfThisStore) return undefined;
    // kept from before its merchant hid it
    if (node.registry?.publishing === false) continue;
    const expired = node.result.checks.timestampValid === false;
    // a current certificate of a product counts before an expired one
    if (products.get(signed.productId)?.expired === undefined && products.has(signed.productId)) continue;
    products.set(signed.productId, listedProduct(signed, expired));
  }
  if (products.size < 2) return undefined;
  const all = [...products.values()];
  return { listed: bounded(all), total: all.length, expired: all.filter(({ expired }) => expired).length };
}

function claimsNothing(node: CheckedNode): boolean {
  return node.kind === 'unknown_product' || (node.kind === 'checked' && node.result.status === 'unverified');
}

const SOUND: readonly CheckName[] = [
  'signatureValid',
  'certificateIntegrity',
  'boundToDomain',
  'productIdMatches',
];

/** The signed claims, if the certificate is sound, on the proven host that it was signed for, and merely of another page. */
function listableClaims({ checks, checkDetails, signed }: VerificationResult): SignedClaims | undefined {
  const { control } = signed ?? {};
  const isProven = checks.domainVerified ?? (control !== undefined && control.method !== 'none');
  const isInTime = checks.timestampValid === true || checkDetails.timestampValid.reason === 'proof_expired';
  const isListable =
    isProven &&
    isInTime &&
    SOUND.every((name) => checks[name] === true) &&
    // with an extra parameter, it is the page of that product
    checkDetails.boundToUrl.reason === 'url_differs';
  return isListable ? signed : undefined;
}

function listedProduct({ productId, url, productName }: SignedClaims, expired: boolean): ListedProduct {
  return { product_id: productId, url, name: productName, ...(expired && { expired }) };
}

function bounded(products: readonly ListedProduct[]): ListedProduct[] {
  let left = MAX_LISTED_TEXT;
  return products.slice(0, MAX_LISTED).filter(({ url, name }) => {
    left -= url.length + name.length;
    return left >= 0;
  });
}
