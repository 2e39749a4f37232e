import { type Trusting, trustOf } from '@touchstone/certificate';
import type { VerificationResult } from '@touchstone/certificate/verify';
import { checkPage, withoutRegistry } from './check-page.ts';
import type { UnnamedReport } from './types.ts';

export type VerifyFromHtmlOptions = Trusting & {
  /** Address that the page was read from, after redirects. */
  readonly pageUrl: string;
  /** The moment of judging, usually `new Date()`. */
  readonly now: Date;
  /** The product that the page is about, where the caller knows it; else the one that its certificate names. */
  readonly productId?: string | undefined;
  /** `Content-Type` of the response, where known: its charset wins over the page's own. */
  readonly contentType?: string | undefined;
};

/** The page check report without the service's own id, with the whole verification beside it. */
export interface HtmlVerification extends UnnamedReport {
  /** Of the certificate that decided; absent where none was verified. */
  readonly verification?: VerificationResult;
}

/**
 * Reads a saved page and judges the certificate on it (spec "Page check verdicts"), with no network but for the
 * public keys of the issuers that the caller trusts, and none at all with `jwks`. A certificate whose canonical
 * source is none of theirs is `canonical_mismatch`. What only a registry knows is not said: a deleted product is
 * judged by its proof alone.
 *
 * @throws CannotVerifyError when nothing can be said: nobody is trusted, or the keys cannot be had
 * @throws TypeError for arguments of the wrong type
 * @example
 * ```ts
 * import { createTestIssuer, TEST_ISSUER, TEST_NOW } from '@touchstone/certificate/testing';
 * import { verifyFromHtml } from '@touchstone/page';
 *
 * const issuer = await createTestIssuer();
 * const node = JSON.stringify(await issuer.certificate());
 * const report = await verifyFromHtml(`<script type="application/ld+json">${node}</script>`, {
 *   pageUrl: 'https://shop.example/products/cup',
 *   trustedIssuers: [TEST_ISSUER],
 *   jwks: issuer.jwks,
 *   now: TEST_NOW,
 * });
 * report.verdict; // 'verified'
 * ```
 */
export async function verifyFromHtml(
  html: string | Uint8Array,
  options: VerifyFromHtmlOptions,
): Promise<HtmlVerification> {
  const { pageUrl, now, contentType, productId } = options;
  const trust = trustOf(options);
  if (typeof html !== 'string' && !ArrayBuffer.isView(html)) {
    throw new TypeError('html must be the text of the page, or its bytes as a Uint8Array.');
  }
  const { report, verification } = await checkPage(pageUrl, {
    ...withoutRegistry(trust, now, productId),
    fetch: async (finalUrl) => ({ kind: 'page', finalUrl, status: 200, contentType, body: html }),
  });
  return verification === undefined ? report : { ...report, verification };
}
