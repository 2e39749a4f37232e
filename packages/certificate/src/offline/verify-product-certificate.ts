import { isUuid } from '../binding/product-ids.ts';
import { readProof } from '../proof/compact-jws.ts';
import { readSubmittedDocument } from '../verify/submitted-document.ts';
import type { VerificationResult } from '../verify/types.ts';
import { verify } from '../verify/verify.ts';
import { createTrust, type Trust, type Trusting } from './trust.ts';

/** What a document is verified against. */
export interface PageInQuestion {
  /** Address of the page that the document was found on, after redirects. */
  readonly pageUrl: string;
  /** The moment of judging, usually `new Date()`. */
  readonly now: Date;
  /** The service's identifier of the product, where the caller knows it; else the one that was signed. */
  readonly productId?: string | undefined;
}

/** What `verifyProductCertificate` is asked. */
export type VerifyProductCertificateOptions = PageInQuestion & Trusting;

/**
 * Verifies a product certificate against the page it was found on, asking nobody but the issuers that the caller
 * trusts for their public keys, or nobody at all with `jwks` (spec "Authentication", 3, 4 and 6).
 *
 * The verdict and its reasons are those of the service, but for what only its registry knows: `domainKnown`,
 * `domainVerified` and `trustDataCurrent` are `null`. A hostile document is data: it gets a verdict, never an
 * exception.
 *
 * @param document - what stood on the page: parsed JSON, or its text
 * @throws CannotVerifyError when there can be no verdict: nobody is trusted, or the keys cannot be had
 * @throws TypeError for options of the wrong type, so that a mistake of the caller accuses no shop
 * @example
 * ```ts
 * import { verifyProductCertificate } from '@touchstone/certificate';
 * import { createTestIssuer, TEST_ISSUER, TEST_NOW } from '@touchstone/certificate/testing';
 *
 * const issuer = await createTestIssuer();
 * const result = await verifyProductCertificate(await issuer.certificate(), {
 *   pageUrl: 'https://shop.example/products/cup?utm_source=mail',
 *   trustedIssuers: [TEST_ISSUER],
 *   jwks: issuer.jwks,
 *   now: TEST_NOW,
 * });
 * result.status; // 'verified'
 * ```
 */
export async function verifyProductCertificate(
  document: unknown,
  options: VerifyProductCertificateOptions,
): Promise<VerificationResult> {
  const trust = trustOf(options);
  const { pageUrl, now } = options;
  const keys = await trust.keysFor(document, now);
  const productId = options.productId ?? signedProductId(document);
  return verify({ document, pageUrl, productId, now, ...keys });
}

/**
 * Whom the options of a verification trust. Checks the other options first: where no compiler did, a mistake of the
 * caller would come out as a verdict on an honest shop.
 *
 * @throws TypeError for a `pageUrl` or `now` that is none
 * @throws CannotVerifyError as `createTrust` does
 * @example
 * ```ts
 * import { trustOf } from '@touchstone/certificate';
 *
 * const question = { pageUrl: 'https://shop.example/products/cup', now: new Date() };
 * trustOf({ ...question, trustedIssuers: ['https://certificates.example'] }).issuers.length; // 1
 * ```
 */
export function trustOf(options: PageInQuestion & Trusting): Trust {
  const { pageUrl, now }: Partial<PageInQuestion> = options ?? {};
  if (typeof pageUrl !== 'string') throw new TypeError('pageUrl must be a string: the address of the page.');
  // not instanceof: a Date of another window or test environment is one too
  if (!Number.isFinite(now?.getTime?.()))
    throw new TypeError('now must be a valid Date: the time that counts as now.');
  return options.trust ?? createTrust(options);
}

/** Where no product was asked for, the signed one counts; a document that names another fails its integrity. */
function signedProductId(document: unknown): string {
  const claimed = readProof(readSubmittedDocument(document).jwt).claims?.productId;
  return isUuid(claimed) ? claimed : '';
}
