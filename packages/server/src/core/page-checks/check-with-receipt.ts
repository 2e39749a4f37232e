import type { Receipt } from '@touchstone/certificate/receipt';
import type { Evidence } from '@touchstone/contract';
import type { PageReport } from '@touchstone/page';
import { ServiceError } from '../../platform/errors.ts';
import { type Identity, viewerOf } from '../../platform/http/access.ts';
import {
  beginReceipt,
  type Receipted,
  type ReceiptRequester,
  type Receipts,
} from '../verification/receipts.ts';
import type { CheckPage, CheckPageInput, PageCheckAnswer } from './check-page.ts';

/** What a merchant keeps of a page check. */
export interface EvidenceSubject {
  readonly merchantId: string;
  /** As in `receiptRequest`. */
  readonly request: object;
  readonly checked: PageCheckAnswer;
  readonly receipt: Receipt;
  /** The product of which the page shows a copy; absent: none is known. */
  readonly original?: string | undefined;
  /** Who pays for fetching pictures. */
  readonly caller: string;
  readonly signal: AbortSignal;
}

/** The part of the service that gives receipts, and keeps evidence with them. */
export interface ReceiptsAndEvidence extends Receipts {
  /** @throws ServiceError `evidence_quota_reached`, before anything is fetched */
  assertRoom(merchantId: string): Promise<void>;
  /** @throws ServiceError `evidence_quota_reached` */
  keep(subject: EvidenceSubject): Promise<Evidence>;
}

export interface CheckRequester extends ReceiptRequester {
  readonly evidence?: true | undefined;
  readonly original?: string | undefined;
  readonly identity?: Identity | null;
}

export type ReceiptedReport = Receipted<PageReport> & { readonly evidence?: Evidence };
export type ReceiptedPageCheck = Omit<PageCheckAnswer, 'report'> & { readonly report: ReceiptedReport };

/** Checks a page, gives a receipt of the report and keeps evidence if asked. The report that is kept for its link has neither. */
export type CheckWithReceipt = (input: CheckPageInput & CheckRequester) => Promise<ReceiptedPageCheck>;

/** @param receipts - absent: whoever asks for one is refused */
export function checkWithReceipt(
  checkPage: CheckPage,
  receipts: ReceiptsAndEvidence | undefined,
): CheckWithReceipt {
  return async ({ receipt: wanted, evidence, original, identity = null, ...asked }) => {
    const input = { ...asked, viewer: viewerOf(identity) };
    if (wanted === undefined && evidence === undefined) return checkPage(input);
    const merchantId = evidence === true ? merchantOf(identity) : undefined;
    const given = await beginReceipt(receipts, input.caller);
    if (merchantId !== undefined) await given.assertRoom(merchantId);
    const { url, freshness, images, explain } = input;
    const request = { url, freshness, images, explain, evidence, original };
    const checked = await checkPage(
      evidence === true ? { ...input, freshness: 'fresh', capture: true } : input,
    );
    const { report } = checked;
    const receipt = await given.give(subjectOf(request, checked));
    if (merchantId === undefined) return { ...checked, report: { ...report, receipt } };
    const { caller, signal } = input;
    const named = original ?? report.mc4p.product_id;
    const about = { merchantId, request, checked, receipt, original: named, caller, signal };
    return { ...checked, report: { ...report, receipt, evidence: await given.keep(about) } };
  };
}

function subjectOf(
  request: object,
  { report, certificate, observation: { finalUrl: url, fetchedAt, sha256 } }: PageCheckAnswer,
) {
  return {
    operation: 'checkPage',
    request,
    answer: report,
    // of a page that could not be read, nothing was seen
    ...(sha256 === undefined ? {} : { page: { url, fetchedAt, sha256 } }),
    verdict: report.verdict,
    conclusion: report.conclusion.code,
    productId: report.mc4p.product_id,
    document: certificate,
  } as const;
}

/** Evidence belongs to a merchant: whoever asks for it has its key. */
function merchantOf(identity: Identity | null): string {
  if (identity === null) throw new ServiceError('credentials_missing');
  if (identity.role === 'merchant') return identity.merchantId;
  throw new ServiceError('forbidden', {
    message: 'Evidence is kept for a merchant: use a key of the merchant.',
  });
}
