import { hash } from 'node:crypto';
import { VERIFIER } from '@touchstone/certificate';
import {
  type ReceiptClaims,
  type ReceiptPage,
  receiptAnswer,
  receiptRequest,
  signReceipt,
  splitAddress,
} from '@touchstone/certificate/receipt';
import { RATE_WINDOW } from '@touchstone/contract';
import type { Core } from '../../core/core.ts';
import { openTimeStamps } from '../../core/images/time-stamps.ts';
import { observeSettings } from '../../core/page-checks/observe-settings.ts';
import type { ReceiptSubject, Receipts } from '../../core/verification/receipts.ts';
import { spendBudgets } from '../../platform/database/rate-windows.ts';
import { ServiceError } from '../../platform/errors.ts';
import { callerBudgets, secondsUntil } from '../../platform/limits/fetch-budgets.ts';

export type ReceiptsCore = Pick<
  Core,
  'config' | 'db' | 'clock' | 'secrets' | 'baseUrl' | 'keys' | 'logger' | 'commit'
>;

/** Signs receipts with the key of receipts; has them time-stamped if an authority is configured. */
export function createReceipts(core: ReceiptsCore): Receipts {
  const { config, db, clock, keys, logger } = core;
  const { fetchesPerCaller } = observeSettings(config);
  const { timeStampUrl } = config.images;
  const stampTime =
    timeStampUrl === undefined
      ? async () => null
      : openTimeStamps({
          url: timeStampUrl,
          clock,
          what: 'Receipts are given',
          onFault: (err) => logger.warn({ err }, 'receipts have no time stamp'),
        });
  return {
    async spend(caller) {
      const spent = await spendBudgets(
        db,
        callerBudgets(core, 'fetch', caller, fetchesPerCaller),
        RATE_WINDOW,
      );
      if (spent !== null) throw new ServiceError('fetch_budget_spent', { retryAfter: secondsUntil(spent) });
    },
    async give(subject) {
      const { keyid: kid, sign } = await keys.receipts.signer();
      const jws = await signReceipt(claimsOf(subject, core), { kid, sign });
      const token = await stampTime(hash('sha256', jws, 'buffer'));
      return token === null ? { jws } : { jws, timestamp: Buffer.from(token).toString('base64') };
    },
  };
}

/** @throws ServiceError `receipt_request_refused` */
function claimsOf(
  { operation, request, answer, page, verdict, conclusion, productId }: ReceiptSubject,
  { baseUrl, clock, commit }: ReceiptsCore,
): ReceiptClaims {
  const asked = receiptRequest(operation, request);
  const answered = receiptAnswer(answer);
  if (asked === null || answered === null) throw new ServiceError('receipt_request_refused');
  return {
    v: 1,
    iss: baseUrl,
    iat: Math.floor(clock().getTime() / 1000),
    operation,
    observed: page === undefined ? 'submitted' : 'fetched',
    request: { sha256: sha256(asked.text), ...queryHash(asked.query) },
    answer: { sha256: sha256(answered) },
    ...(page === undefined ? {} : { page: pageClaims(page) }),
    verdict,
    conclusion,
    ...(productId === undefined ? {} : { productId }),
    verifier: VERIFIER,
    ...(commit === undefined ? {} : { commit }),
  };
}

function pageClaims({ url: address, ...seen }: NonNullable<ReceiptSubject['page']>): ReceiptPage {
  const { url, query } = splitAddress(address);
  return { url, ...queryHash(query), ...seen };
}

const sha256 = (text: string): string => hash('sha256', text, 'base64url');
const queryHash = (query: string | undefined) => (query === undefined ? {} : { querySha256: sha256(query) });
