import { isUuid } from '../binding/product-ids.ts';
import { readProof } from '../proof/compact-jws.ts';
import type { VerificationResult } from '../verify/result.ts';
import { readSubmittedDocument } from '../verify/submitted-document.ts';
import { verify } from '../verify/verify.ts';
import { createTrust, type Trust, type Trusting } from './trust.ts';

/** What a document is verified against. */
export interface PageInQuestion {
  /** Address of the page that the document was found on, after redirects. */
  readonly pageUrl: string;
  /** The time of verification, usually `new Date()`. */
  readonly now: Date;
  /** The service's identifier of the product, if the caller knows it. Default: the signed one. */
  readonly productId?: string | undefined;
}

/** Options of `verifyProductCertificate`. */
export type VerifyProductCertificateOptions = PageInQuestion & Trusting;

/**
 * Verifies a product certificate against the page it was found on. The only network requests are for the public keys of
 * trusted issuers; with `jwks` there are none (spec "Authentication", 3, 4 and 6).
 *
 * Verdict and reasons equal those of the service, except for what only its registry knows: `domainKnown`,
 * `domainVerified` and `trustDataCurrent` are `null`. A hostile document gets a verdict, never an exception.
 *
 * @param document - the certificate found on the page: parsed JSON, or its text
 * @throws CannotVerifyError if no verdict is possible: no trusted issuer, or the keys are unavailable
 * @throws TypeError for options of the wrong type, so that a caller's mistake is never reported as a shop's fault
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
  const productId = options.productId ?? claimedProductId(document);
  return verify({ document, pageUrl, productId, now, ...keys });
}

/**
 * Returns the trust of the options of a verification, and validates the other options first: without a compiler, a
 * caller's mistake would otherwise appear as a verdict on an honest shop.
 *
 * @throws TypeError if `pageUrl` is not a string or `now` is not a valid Date
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
  if (typeof pageUrl !== 'string')
    throw new TypeError('pageUrl must be the address of the page, as a string.');
  // not instanceof: a Date of another realm (window, test environment) is valid too
  if (!Number.isFinite(now?.getTime?.())) throw new TypeError('now must be a valid Date.');
  return options.trust ?? createTrust(options);
}

/**
 * The product that the proof of a certificate names, whoever made it: for callers who expect none. A document that names another fails
 * `certificateIntegrity`.
 *
 * @returns an empty text if it names none
 * @example
 * ```ts
 * import { claimedProductId } from '@touchstone/certificate';
 * import { createTestIssuer } from '@touchstone/certificate/testing';
 *
 * const issuer = await createTestIssuer();
 * claimedProductId(await issuer.certificate()); // '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6'
 * ```
 */
export function claimedProductId(document: unknown): string {
  const claimed = readProof(readSubmittedDocument(document).jwt).claims?.productId;
  return isUuid(claimed) ? claimed : '';
}
