import type { Trusting } from '../offline/trust.ts';
import { trustOf, verifyProductCertificate } from '../offline/verify-product-certificate.ts';
import type { VerificationResult } from '../verify/result.ts';
import { itemResult } from './item-result.ts';
import type { CarriedCertificate, ItemVerification, StatedItem } from './types.ts';

/** Options of `verifyItem`. */
export type VerifyItemOptions = Trusting & {
  /** The time of verification, usually `new Date()`. */
  readonly now: Date;
  /** Address or host of the feed, catalogue or seller that offers the item. */
  readonly source?: string | undefined;
};

/**
 * Verifies an item of a feed, catalogue or commerce protocol: the certificate that it carries, at the address to which it links, and each
 * field against what was signed. No page is requested: anybody can attach a public certificate and a genuine link to an offer, so the
 * conclusion is never `good`. The only network requests are for the public keys of trusted issuers; with `jwks` there are none.
 *
 * @param item - as `readItem` of `@touchstone/catalogue` returns it; untrusted
 * @throws CannotVerifyError if no verdict is possible: no trusted issuer, or the keys are unavailable
 * @throws TypeError for options of the wrong type
 * @example
 * ```ts
 * import { verifyItem } from '@touchstone/certificate/item';
 * import { createTestIssuer, TEST_ISSUER, TEST_NOW } from '@touchstone/certificate/testing';
 *
 * const issuer = await createTestIssuer();
 * const item = {
 *   link: 'https://shop.example/products/cup',
 *   name: 'Stoneware cup',
 *   skus: ['CUP-2'],
 *   certificates: [{ place: 'metadata.example', document: await issuer.certificate() }],
 * };
 * const options = { trustedIssuers: [TEST_ISSUER], jwks: issuer.jwks, now: TEST_NOW };
 * const { conclusion, fields } = await verifyItem(item, options);
 * conclusion.code; // 'item_differs'
 * fields.name.result; // 'agrees'
 * fields.sku; // { result: 'differs', signed: 'CUP-1', stated: 'CUP-2' }
 * ```
 */
export async function verifyItem(item: StatedItem, options: VerifyItemOptions): Promise<ItemVerification> {
  const { now, source } = options;
  const trust = trustOf({ ...options, pageUrl: '' });
  return verifyItemBy(item, {
    source,
    verify: (document, pageUrl) => verifyProductCertificate(document, { trust, now, pageUrl }),
  });
}

/** How the certificates of an item are verified and found. */
export interface ItemVerifier {
  /** @param document - `undefined`: there is none */
  readonly verify: (document: unknown, pageUrl: string) => Promise<VerificationResult>;
  /** Finds the certificate of an item that carries none, by its link; `undefined`: there is none. Default: none is looked for. */
  readonly find?: (pageUrl: string) => Promise<unknown>;
  /** As in `VerifyItemOptions`. */
  readonly source?: string | undefined;
}

/** Certificates of one item that are verified. */
const MAX_CARRIED = 4;

/**
 * The same by any verifier, such as one that asks a registry. Of several certificates in an item a verified one counts, else the first
 * that is signed.
 *
 * @throws what the functions of the verifier throw
 * @example
 * ```ts
 * import { verifyItemBy } from '@touchstone/certificate/item';
 * import { createKeySet, verify } from '@touchstone/certificate/verify';
 *
 * const keys = { keySet: createKeySet({ keys: [] }), issuers: [], now: new Date() };
 * const answer = await verifyItemBy(
 *   { link: 'https://shop.example/products/cup' },
 *   { verify: (document, pageUrl) => verify({ ...keys, document, pageUrl, productId: '' }) },
 * );
 * answer.certificate; // 'none'
 * ```
 */
export async function verifyItemBy(
  item: StatedItem,
  { verify, find, source }: ItemVerifier,
): Promise<ItemVerification> {
  const { link: pageUrl = '', certificates = [] } = item;
  const judged: { readonly carried: CarriedCertificate; readonly result: VerificationResult }[] = [];
  for (const carried of certificates.slice(0, MAX_CARRIED))
    judged.push({ carried, result: await verify(carried.document, pageUrl) });
  const chosen =
    judged.find(({ result }) => result.status === 'verified') ??
    judged.find(({ result }) => result.status === 'failed') ??
    judged[0];
  if (chosen !== undefined) {
    const { carried, result } = chosen;
    return itemResult(item, { ...carried, result, certificate: 'carried', source });
  }
  const document = pageUrl === '' ? undefined : await find?.(pageUrl);
  const result = await verify(document, pageUrl);
  const certificate = document === undefined ? 'none' : 'by_address';
  return itemResult(item, { document, result, certificate, source });
}
