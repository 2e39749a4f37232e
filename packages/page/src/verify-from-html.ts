import { type Trusting, trustOf } from '@touchstone/certificate';
import type { VerificationResult } from '@touchstone/certificate/verify';
import { checkPage, withoutRegistry } from './check-page.ts';
import type { ReadFacts } from './read/parsed-page.ts';
import type { UnnamedReport } from './types.ts';

export type VerifyFromHtmlOptions = Trusting & {
  /**
   * The address where the page was seen, after redirects, from whoever saw it: never one that the file states about
   * itself. If nobody knows it: `openSavedPage`.
   */
  readonly pageUrl: string;
  /** The time at which certificates must be valid, usually `new Date()`. */
  readonly now: Date;
  /** The product that the certificate must be for; default: the one that it names. */
  readonly productId?: string | undefined;
  /** `Content-Type` of the response, if known; its charset takes precedence over the one declared in the page. */
  readonly contentType?: string | undefined;
  /**
   * `readFacts` of `@touchstone/facts`, which also compares what the page states with what was signed. Without it the report has no
   * facts, the same verdict, and no conclusion that the page agrees with its certificate.
   */
  readonly readFacts?: ReadFacts | undefined;
};

/** The page check report without the id that a service assigns, plus the full verification result. */
export interface HtmlVerification extends UnnamedReport {
  /** The verification of the certificate that determined the verdict; absent if none was verified. */
  readonly verification?: VerificationResult;
}

/**
 * Reads a saved page and judges its certificate (spec "Page check verdicts"). The network is used only to fetch the
 * public keys of trusted issuers, and not at all with `jwks`. A certificate whose canonical source belongs to no trusted
 * issuer is `canonical_mismatch`. No registry is consulted: a deleted product is judged by its proof alone.
 *
 * @throws CannotVerifyError if no issuer is trusted or the keys cannot be fetched
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
  const { pageUrl, now, contentType, productId, readFacts } = options;
  const trust = trustOf(options);
  if (typeof html !== 'string' && !ArrayBuffer.isView(html)) {
    throw new TypeError('html must be the text of the page, or its bytes as a Uint8Array.');
  }
  const { report, verification } = await checkPage(pageUrl, {
    ...withoutRegistry(trust, now, productId),
    readFacts,
    fetch: async (finalUrl) => ({ kind: 'page', finalUrl, status: 200, contentType, body: html }),
  });
  return verification === undefined ? report : { ...report, verification };
}
