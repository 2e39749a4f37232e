import type { VerificationResult } from '@touchstone/certificate/verify';
import { checkPage, type UnnamedReport, withoutRegistry } from '@touchstone/page';
import type { Judging } from './judge.ts';

/** What a saved page comes to. */
export interface PageJudgement {
  readonly kind: 'page';
  readonly report: UnnamedReport;
  /** Of the certificate that decided; absent where none was verified. */
  readonly verification?: VerificationResult;
}

/** A page that somebody saved. */
export interface PageInHand {
  readonly html: string | Uint8Array;
  readonly contentType?: string | undefined;
  /** Where the page was, after redirects. */
  readonly pageUrl: string;
  /** What was asked for, where that is known to differ. */
  readonly askedUrl?: string | undefined;
  readonly productId?: string | undefined;
}

/**
 * Judges a saved page: its facts, the certificate on it, and one of the verdicts on pages.
 *
 * @param baseUrls - present and former, that the canonical source of a certificate may have
 * @throws CannotVerifyError where the keys are not to be had
 */
export async function judgeSavedPage(
  { html, contentType, pageUrl, askedUrl = pageUrl, productId }: PageInHand,
  { trust, now }: Judging,
  baseUrls: readonly string[] = trust.issuers,
): Promise<PageJudgement> {
  const { report, verification } = await checkPage(askedUrl, {
    ...withoutRegistry(trust, now, productId),
    namespaceUrl: baseUrls.map((baseUrl) => `${baseUrl}/ns#`),
    baseUrls,
    fetch: async () => ({ kind: 'page', finalUrl: pageUrl, status: 200, contentType, body: html }),
  });
  return { kind: 'page', report, ...(verification === undefined ? {} : { verification }) };
}
