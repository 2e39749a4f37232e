import { withLog } from '@touchstone/certificate/log';
import type { VerificationResult } from '@touchstone/certificate/verify';
import { withWithdrawal } from '@touchstone/certificate/withdrawal';
import { readFacts } from '@touchstone/facts';
import {
  type AfterVerify,
  checkPage,
  openSavedPage,
  type UnnamedReport,
  withoutRegistry,
} from '@touchstone/page';
import { type DocumentResult, type Judging, judgeDocument } from './judge.ts';

/** The verdict on a saved page. */
export interface PageResult {
  readonly kind: 'page';
  readonly report: UnnamedReport;
  /** Result of the certificate that decided the verdict; absent if none was verified. */
  readonly verification?: VerificationResult;
}

/** A saved page to verify. */
interface PageInHand {
  readonly html: string | Uint8Array;
  readonly contentType?: string | undefined;
  /** Address of the page, after redirects. */
  readonly pageUrl: string;
  /** The requested address, if it is known to differ. */
  readonly askedUrl?: string | undefined;
  readonly productId?: string | undefined;
}

/**
 * Verifies a saved page: its facts, its certificate, and one of the verdicts on pages.
 *
 * @param baseUrls - present and former ones that the canonical source of a certificate may have
 * @throws CannotVerifyError if the keys are unavailable
 */
export async function judgeSavedPage(
  { html, contentType, pageUrl, askedUrl = pageUrl, productId }: PageInHand,
  { trust, now, lists, policy, lookAtLog }: Judging,
  baseUrls: readonly string[] = trust.issuers,
): Promise<PageResult> {
  const afterVerify: AfterVerify = async (result, document) => {
    const withdrawal = await lists?.lookUp(document, result.signed?.issuer, now);
    const known = withdrawal === undefined ? result : withWithdrawal(result, withdrawal, policy);
    const log = await lookAtLog?.(document);
    return log === undefined ? known : withLog(known, log);
  };
  const { report, verification } = await checkPage(askedUrl, {
    ...withoutRegistry(trust, now, productId, afterVerify),
    namespaceUrl: baseUrls.map((baseUrl) => `${baseUrl}/ns#`),
    baseUrls,
    readFacts,
    fetch: async () => ({ kind: 'page', finalUrl: pageUrl, status: 200, contentType, body: html }),
  });
  return { kind: 'page', report, ...(verification === undefined ? {} : { verification }) };
}

/**
 * Verifies a saved page of which nobody has said where it was seen: its certificate by itself, or the verdict that no
 * address would change. No address in the file is taken for that.
 *
 * @throws CannotVerifyError if the keys are unavailable
 */
export async function judgeUnplacedPage(
  { html, contentType, productId }: Omit<PageInHand, 'pageUrl' | 'askedUrl'>,
  judging: Judging,
): Promise<PageResult | DocumentResult> {
  const saved = await openSavedPage(html, { ...judging, contentType, readFacts });
  if (saved.kind === 'judged') return { kind: 'page', report: saved.page.report };
  const { document, reading } = saved;
  const question = { document, certificate: 'product', place: { productId } } as const;
  return { ...(await judgeDocument(question, judging)), facts: reading.facts };
}
