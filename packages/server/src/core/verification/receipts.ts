import type { VerificationResult } from '@touchstone/certificate';
import type { Receipt, ReceiptOperation, ReceiptPage } from '@touchstone/certificate/receipt';
import { ServiceError } from '../../platform/errors.ts';
import type { VerifyProduct, VerifyProductInput } from './verify-product.ts';

/** What a receipt is about. */
export interface ReceiptSubject {
  readonly operation: ReceiptOperation;
  /** As in `receiptRequest`. */
  readonly request: object;
  /** As the caller gets it, without the receipt. */
  readonly answer: object;
  /** What the service saw itself; absent: nothing. Its address has its query. */
  readonly page?: Omit<ReceiptPage, 'querySha256'>;
  readonly verdict: string;
  readonly conclusion: string;
  readonly productId?: string | undefined;
  /** The certificate that was verified. Its place in the log is looked up: a page can carry the place of another. */
  readonly document?: unknown;
}

/** Signs what the service answered: the part of the service that gives receipts. */
export interface Receipts {
  /**
   * Spends the caller's budget for one receipt, before any work is done for it.
   *
   * @throws ServiceError `fetch_budget_spent`
   */
  spend(caller: string): Promise<void>;
  /** @throws ServiceError `receipt_request_refused`, `signer_unavailable` */
  give(subject: ReceiptSubject): Promise<Receipt>;
}

/** Who asks, and whether for a receipt. */
export interface ReceiptRequester {
  readonly receipt?: true | undefined;
  /** The key of rate limits. */
  readonly caller: string;
}

export type Receipted<T> = T & { readonly receipt?: Receipt };

/** Spends what a receipt costs. @throws ServiceError `receipts_absent`, `fetch_budget_spent` */
export async function beginReceipt<R extends Receipts>(receipts: R | undefined, caller: string): Promise<R> {
  if (receipts === undefined) throw new ServiceError('receipts_absent');
  await receipts.spend(caller);
  return receipts;
}

/** Verifies, and gives a receipt of the result if asked. */
export type VerifyWithReceipt = (
  input: VerifyProductInput & ReceiptRequester,
) => Promise<Receipted<VerificationResult>>;

/** @param receipts - absent: whoever asks for one is refused */
export function verifyWithReceipt(
  verifyProduct: VerifyProduct,
  receipts: Receipts | undefined,
): VerifyWithReceipt {
  return async ({ receipt, caller, ...input }) => {
    if (receipt === undefined) return verifyProduct(input);
    const given = await beginReceipt(receipts, caller);
    const answer = await verifyProduct(input);
    const { productId, pageUrl: productUrl, document } = input;
    const subject = {
      operation: 'verifyProductCertificate',
      request: { productId, productUrl, document },
      answer,
      verdict: answer.status,
      conclusion: answer.conclusion.code,
      productId: answer.productId,
      document,
    } as const;
    return { ...answer, receipt: await given.give(subject) };
  };
}
