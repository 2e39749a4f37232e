import type { PageReport } from '@touchstone/page';
import {
  beginReceipt,
  type Receipted,
  type ReceiptRequester,
  type Receipts,
} from '../verification/receipts.ts';
import type { CheckPage, CheckPageInput, PageCheckAnswer } from './check-page.ts';

export type ReceiptedPageCheck = Omit<PageCheckAnswer, 'report'> & { readonly report: Receipted<PageReport> };

/** Checks a page, and gives a receipt of the report if asked. The report that is kept has none. */
export type CheckWithReceipt = (input: CheckPageInput & ReceiptRequester) => Promise<ReceiptedPageCheck>;

/** @param receipts - absent: whoever asks for one is refused */
export function checkWithReceipt(checkPage: CheckPage, receipts: Receipts | undefined): CheckWithReceipt {
  return async ({ receipt, ...input }) => {
    if (receipt === undefined) return checkPage(input);
    const given = await beginReceipt(receipts, input.caller);
    const checked = await checkPage(input);
    const { report, observation } = checked;
    const { finalUrl, fetchedAt, sha256 } = observation;
    const { url, freshness, images, explain } = input;
    const subject = {
      operation: 'checkPage',
      request: { url, freshness, images, explain },
      answer: report,
      // of a page that could not be read, nothing was seen
      ...(sha256 === undefined ? {} : { page: { url: finalUrl, fetchedAt, sha256 } }),
      verdict: report.verdict,
      conclusion: report.conclusion.code,
      productId: report.mc4p.product_id,
    } as const;
    return { ...checked, report: { ...report, receipt: await given.give(subject) } };
  };
}
