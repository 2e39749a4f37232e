import { isObject } from '../proof/strict-json.ts';
import { RECEIPT_OPERATIONS, type ReceiptOperation } from './receipt-request.ts';

/** `typ` of a receipt: no other token of the service can be taken for one. */
export const RECEIPT_TYP = 'touchstone-receipt+jwt';
export const RECEIPT_VERSION = 1;

/** A page as the service saw it. Hashes are SHA-256, base64url. */
export interface ReceiptPage {
  /** Where it landed after redirects, without the query. */
  readonly url: string;
  readonly querySha256?: string;
  /** When it was requested, RFC 3339: of a cached answer, earlier than `iat`. */
  readonly fetchedAt: string;
  /** Of its bytes without `Content-Encoding`. */
  readonly sha256: string;
}

/** What a receipt states. Hashes are SHA-256, base64url. */
export interface ReceiptClaims {
  readonly v: typeof RECEIPT_VERSION;
  /** Base address of the service. */
  readonly iss: string;
  /** When it was signed, in seconds since 1970. */
  readonly iat: number;
  readonly operation: ReceiptOperation;
  /** `fetched`: the service read the page itself. `submitted`: it read none, so that all about the page is the caller's word. */
  readonly observed: 'fetched' | 'submitted';
  /** Of `receiptRequest`; the query apart, so that the receipt can be shown without it. */
  readonly request: { readonly sha256: string; readonly querySha256?: string };
  /** Of `receiptAnswer`. */
  readonly answer: { readonly sha256: string };
  /** Present only if `observed` is `fetched`. */
  readonly page?: ReceiptPage;
  readonly verdict: string;
  /** Code of the conclusion. */
  readonly conclusion: string;
  /** The product that the verdict is about; absent if there is none. */
  readonly productId?: string;
  /** Name and version of the verifier. */
  readonly verifier: string;
  /** Of the source that ran; absent if it is not known. */
  readonly commit?: string;
  /** Where the certificate stands in the transparency log; absent if it is in none. */
  readonly log?: { readonly origin: string; readonly index: number };
}

/** The claims of a receipt; a fault if one is missing or of another type. Members that are not known are ignored. */
export function receiptClaims(
  claims: Readonly<Record<string, unknown>>,
): ReceiptClaims | 'receipt_version_unknown' | 'receipt_claims_malformed' {
  if (claims.v !== RECEIPT_VERSION) return 'receipt_version_unknown';
  return isComplete(claims) ? (claims as unknown as ReceiptClaims) : 'receipt_claims_malformed';
}

function isComplete(claims: Readonly<Record<string, unknown>>): boolean {
  const { iss, iat, operation, observed, request, answer, page, log } = claims;
  const texts = [iss, claims.verdict, claims.conclusion, claims.verifier];
  return (
    texts.every(isText) &&
    [claims.productId, claims.commit].every(isTextOrAbsent) &&
    isCount(iat) &&
    (RECEIPT_OPERATIONS as readonly unknown[]).includes(operation) &&
    isObject(request) &&
    isHash(request.sha256) &&
    isHashOrAbsent(request.querySha256) &&
    isObject(answer) &&
    isHash(answer.sha256) &&
    (observed === 'fetched' ? isPage(page) : observed === 'submitted' && page === undefined) &&
    (log === undefined || (isObject(log) && isText(log.origin) && isCount(log.index)))
  );
}

function isPage(page: unknown): boolean {
  return (
    isObject(page) &&
    isText(page.url) &&
    isText(page.fetchedAt) &&
    isHashOrAbsent(page.querySha256) &&
    isHash(page.sha256)
  );
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTextOrAbsent = (value: unknown): boolean => value === undefined || isText(value);
const isHash = (value: unknown): boolean => typeof value === 'string' && /^[\w-]{43}$/.test(value);
const isHashOrAbsent = (value: unknown): boolean => value === undefined || isHash(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
