import { hash, randomUUID } from 'node:crypto';
import { VERIFIER } from '@touchstone/certificate';
import { proofJwt } from '@touchstone/certificate/log';
import {
  type ReceiptClaims,
  type ReceiptPage,
  receiptAnswer,
  receiptRequest,
  signReceipt,
  splitAddress,
} from '@touchstone/certificate/receipt';
import { RATE_WINDOW } from '@touchstone/contract';
import { uhash } from '@touchstone/image';
import type { Core } from '../../core/core.ts';
import { openTimeStamps } from '../../core/images/time-stamps.ts';
import type { EvidenceSubject, ReceiptsAndEvidence } from '../../core/page-checks/check-with-receipt.ts';
import { observeSettings } from '../../core/page-checks/observe-settings.ts';
import { createReadImages } from '../../core/page-checks/page-images.ts';
import type { ReceiptSubject } from '../../core/verification/receipts.ts';
import { spendBudgets } from '../../platform/database/rate-windows.ts';
import { ServiceError } from '../../platform/errors.ts';
import { callerBudgets, secondsUntil } from '../../platform/limits/fetch-budgets.ts';
import { packEvidence } from './evidence-file.ts';
import { assertEvidenceRoom, type EvidenceContext, keepEvidence } from './evidence-table.ts';

export type ReceiptsCore = Pick<
  Core,
  | 'config'
  | 'db'
  | 'clock'
  | 'secrets'
  | 'baseUrl'
  | 'keys'
  | 'logger'
  | 'commit'
  | 'fetchers'
  | 'certificates'
  | 'proofLog'
>;

/** Signs receipts with the key of receipts, time-stamped if an authority is configured; keeps evidence. */
export function createReceipts(core: ReceiptsCore, evidence: EvidenceContext): ReceiptsAndEvidence {
  const { config, db, clock, keys, logger } = core;
  const settings = observeSettings(config);
  const { fetchesPerCaller } = settings;
  const readImages = createReadImages({ ...core, fetcher: core.fetchers.images, settings });
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
  const fileOf = async ({ request, checked, receipt, original, ...asked }: EvidenceSubject) => {
    const { report, captured, observation } = checked;
    const live = report.facts.images.map(({ value }) => value);
    return packEvidence({
      issuer: core.baseUrl,
      request,
      report,
      receipt,
      keys: { keys: (await keys.receipts.published()).map(({ jwk }) => jwk) },
      captured,
      finalUrl: observation.finalUrl,
      images: await readImages({ ...asked, live }, uhash),
      certificate: original === undefined ? undefined : await certificateOf(original, core),
    });
  };
  return {
    assertRoom: (merchantId) => assertEvidenceRoom(evidence, merchantId),
    async keep(subject) {
      const file = await fileOf(subject);
      const { url, verdict } = subject.checked.report;
      const { merchantId } = subject;
      return keepEvidence(evidence, { merchantId, id: randomUUID(), about: { url, verdict }, file });
    },
    async spend(caller) {
      const spent = await spendBudgets(
        db,
        callerBudgets(core, 'fetch', caller, fetchesPerCaller),
        RATE_WINDOW,
      );
      if (spent === null) return;
      const message = 'Too many receipts and page fetches at the moment: wait as long as Retry-After says.';
      throw new ServiceError('fetch_budget_spent', { message, retryAfter: secondsUntil(spent) });
    },
    async give(subject) {
      const { keyid: kid, sign } = await keys.receipts.signer();
      const jws = await signReceipt(
        { ...claimsOf(subject, core), ...(await placeOf(subject, core)) },
        { kid, sign },
      );
      const token = await stampTime(hash('sha256', jws, 'buffer'));
      return token === null ? { jws } : { jws, timestamp: Buffer.from(token).toString('base64') };
    },
  };
}

/** The certificate as it is served now; undefined if none is. */
async function certificateOf(productId: string, { certificates }: ReceiptsCore): Promise<string | undefined> {
  try {
    return String((await certificates.getCertificate(productId.toLowerCase())).body);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'product_unknown') return undefined;
    throw error;
  }
}

/** The place of the certificate in the transparency log, as this service knows it. */
async function placeOf(
  { document }: ReceiptSubject,
  { proofLog }: ReceiptsCore,
): Promise<Pick<ReceiptClaims, 'log'>> {
  const jwt = proofJwt(document);
  const log = jwt === null ? null : await proofLog?.placeOf(jwt);
  return log ? { log } : {};
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
