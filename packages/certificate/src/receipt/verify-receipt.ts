import { webCryptoSha256 } from '../keys/web-crypto.ts';
import { CannotVerifyError } from '../offline/cannot-verify-error.ts';
import { type Fetch, fetchJwks, safeKeysAddress } from '../offline/fetch-jwks.ts';
import { addressesIn, type IssuerKeys, keysByIssuer } from '../offline/trust.ts';
import { encodeBase64url } from '../proof/base64url.ts';
import type { Sha256 } from '../proof/members.ts';
import { type Receipt, readReceipt, receiptIn } from './read-receipt.ts';
import { type ReceiptClaims, receiptClaims } from './receipt-claims.ts';
import { RECEIPT_FAULTS, type ReceiptFault } from './receipt-faults.ts';
import { receiptJwksUrl, receiptKey, type VerifyEd25519, webCryptoEd25519 } from './receipt-keys.ts';
import { receiptAnswer, receiptRequest } from './receipt-request.ts';
import { readTimeStamp } from './time-stamp.ts';

export interface VerifyReceiptOptions {
  /** Base addresses of the services whose receipts are trusted (values of `iss`); at least one. */
  readonly trustedIssuers: readonly string[];
  /** The keys of receipts of the only trusted issuer, as a parsed JWKS. If given, no network request is made. */
  readonly jwks?: unknown;
  /** The keys of receipts of trusted issuers, each set with those that it belongs to; others are fetched from their issuer. */
  readonly keys?: readonly IssuerKeys[] | undefined;
  /** The request as it was sent, parsed; its `productId` may be left out. */
  readonly request?: unknown;
  /** The answer, parsed, with or without its receipt. */
  readonly answer?: unknown;
  /** The bytes of the page. */
  readonly page?: Uint8Array<ArrayBuffer> | undefined;
  readonly now: Date;
  /** Default: `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
  /** The signature primitive. Default: WebCrypto. */
  readonly verifyEd25519?: VerifyEd25519 | undefined;
  /** The digest primitive. Default: WebCrypto. */
  readonly sha256?: Sha256 | undefined;
}

/** What was found out about a receipt. */
export interface ReceiptFinding {
  /** Whether there is no fault. */
  readonly valid: boolean;
  /** Every fault; those about its form or signature end the verification. */
  readonly faults: readonly { readonly code: ReceiptFault; readonly sentence: string }[];
  /** What is signed; absent unless the signature is valid. */
  readonly claims?: ReceiptClaims;
  /** Whether each is what the receipt is about; `null`: not given. `request` is without its query, which is `query`. */
  readonly compared: Readonly<Record<'request' | 'query' | 'answer' | 'page' | 'timestamp', boolean | null>>;
  /** The time that the time stamp states. The signature of its authority is not verified here. */
  readonly stampedAt?: string;
}

/**
 * Verifies a receipt: that a trusted service signed it, and that it is about the given request, answer and page. It says nothing new about
 * the certificate: only what the service answered, and when.
 *
 * @param given - the JWS, the `receipt` of an answer, or the answer that contains it
 * @throws CannotVerifyError `no_trusted_issuer`, `keys_unavailable`, `keys_address_unsafe`
 * @throws TypeError if it is not clear whose keys are given
 * @example
 * ```ts
 * import { verifyReceipt } from '@touchstone/certificate/receipt';
 *
 * const trustedIssuers = ['https://certificates.example'];
 * const { faults } = await verifyReceipt('no receipt', { trustedIssuers, jwks: { keys: [] }, now: new Date() });
 * faults[0]?.code; // 'receipt_malformed'
 * ```
 */
export async function verifyReceipt(given: unknown, options: VerifyReceiptOptions): Promise<ReceiptFinding> {
  const trusted = addressesIn(options.trustedIssuers, 'trustedIssuers');
  if (trusted.length === 0) throw new CannotVerifyError('no_trusted_issuer');
  const sources = keysByIssuer(trusted, options);
  const receipt = receiptIn(given);
  if (receipt === null) return refused('receipt_malformed');
  const parts = readReceipt(receipt);
  if (typeof parts === 'string') return refused(parts);
  const source = sources.find(({ issuers }) => issuers.includes(parts.claims.iss as string));
  if (source === undefined) return refused('receipt_issuer_untrusted');
  const key = receiptKey(await keysOf(source, options), parts.kid);
  if (key === null) return refused('receipt_key_unknown');
  const { verifyEd25519 = webCryptoEd25519 } = options;
  if (!(await verifyEd25519(key, parts.signature, parts.signingInput)))
    return refused('receipt_signature_invalid');
  const claims = receiptClaims(parts.claims);
  return typeof claims === 'string' ? refused(claims) : compare(receipt, claims, options);
}

const NOTHING = { request: null, query: null, answer: null, page: null, timestamp: null } as const;

const refused = (fault: ReceiptFault): ReceiptFinding => ({
  valid: false,
  faults: inWords([fault]),
  compared: NOTHING,
});

const inWords = (faults: readonly ReceiptFault[]) =>
  faults.map((code) => ({ code, sentence: RECEIPT_FAULTS[code] }));

async function keysOf({ issuers, jwks, jwksUrl }: IssuerKeys, { fetch }: VerifyReceiptOptions) {
  if (jwks !== undefined) return jwks;
  const url = safeKeysAddress(jwksUrl ?? receiptJwksUrl(issuers[0] as string));
  return (await fetchJwks(url, fetch ?? globalThis.fetch, true)).jwks;
}

/** Seconds by which clocks may differ. */
const SKEW = 60;

async function compare(
  receipt: Receipt,
  claims: ReceiptClaims,
  { sha256 = webCryptoSha256(), ...options }: VerifyReceiptOptions,
): Promise<ReceiptFinding> {
  const { now, request, answer, page } = options;
  const { ofRequest, ofQuery } =
    request === undefined ? NOT_GIVEN : await requestFaults(request, claims, sha256);
  const ofAnswer = answer === undefined ? null : await answerFaults(answer, claims, sha256);
  const ofPage = page === undefined ? null : await pageFaults(page, claims);
  const stamp = receipt.timestamp === undefined ? null : await stampFaults(receipt.jws, receipt.timestamp);
  const late: ReceiptFault[] = claims.iat > now.getTime() / 1000 + SKEW ? ['receipt_from_future'] : [];
  const faults = [
    ...late,
    ...[ofRequest, ofQuery, ofAnswer, ofPage, stamp?.faults ?? null].flatMap((found) => found ?? []),
  ];
  const isSame = (found: readonly ReceiptFault[] | null) => (found === null ? null : found.length === 0);
  return {
    valid: faults.length === 0,
    faults: inWords(faults),
    claims,
    compared: {
      request: isSame(ofRequest),
      query: isSame(ofQuery),
      answer: isSame(ofAnswer),
      page: isSame(ofPage),
      timestamp: isSame(stamp?.faults ?? null),
    },
    ...(stamp?.time === undefined ? {} : { stampedAt: stamp.time }),
  };
}

const NOT_GIVEN = { ofRequest: null, ofQuery: null } as const;

/** Faults of the request without its query, and of the query: whoever was given the request without it may still compare the rest. */
async function requestFaults(
  request: unknown,
  { productId, operation, request: signed }: ReceiptClaims,
  sha256: Sha256,
): Promise<Readonly<Record<keyof typeof NOT_GIVEN, ReceiptFault[] | null>>> {
  // a verification names its product in the address
  const named = operation === 'verifyProductCertificate' ? { productId, ...(request as object) } : request;
  const read = receiptRequest(operation, named);
  if (read === null) return { ofRequest: ['receipt_request_unreadable'], ofQuery: null };
  const isRequest = (await sha256(read.text)) === signed.sha256;
  if (!isRequest) return { ofRequest: ['receipt_request_differs'], ofQuery: null };
  if (read.query === undefined)
    return { ofRequest: [], ofQuery: signed.querySha256 === undefined ? [] : null };
  const isQuery = (await sha256(read.query)) === signed.querySha256;
  return { ofRequest: [], ofQuery: isQuery ? [] : ['receipt_query_differs'] };
}

async function answerFaults(answer: unknown, claims: ReceiptClaims, sha256: Sha256): Promise<ReceiptFault[]> {
  const text = receiptAnswer(answer);
  if (text === null) return ['receipt_answer_unreadable'];
  return (await sha256(text)) === claims.answer.sha256 ? [] : ['receipt_answer_differs'];
}

async function pageFaults(page: Uint8Array<ArrayBuffer>, claims: ReceiptClaims): Promise<ReceiptFault[]> {
  const stated = claims.page?.sha256;
  if (stated === undefined) return ['receipt_page_absent'];
  return encodeBase64url(await digestOf(page)) === stated ? [] : ['receipt_page_differs'];
}

async function stampFaults(jws: string, timestamp: string) {
  const info = readTimeStamp(fromBase64(timestamp));
  if (info === null) return { faults: ['receipt_timestamp_malformed'] as const };
  const digest = await digestOf(new TextEncoder().encode(jws));
  const isOfReceipt = digest.every((byte, index) => byte === info.imprint[index]);
  return isOfReceipt
    ? { faults: [] as const, time: info.time }
    : { faults: ['receipt_timestamp_differs'] as const };
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** Empty for anything but base64 in canonical form. */
function fromBase64(text: string): Uint8Array {
  try {
    const binary = atob(text);
    return btoa(binary) === text ? Uint8Array.from(binary, (c) => c.charCodeAt(0)) : new Uint8Array();
  } catch {
    return new Uint8Array();
  }
}
