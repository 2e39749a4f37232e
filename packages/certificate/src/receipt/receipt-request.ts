import { canonicalJson } from '../proof/canonical-json.ts';

/** The operations that answer with a receipt, by their ids in the API; an item of a batch is one of them. */
export const RECEIPT_OPERATIONS = ['verifyProductCertificate', 'checkPage'] as const;
export type ReceiptOperation = (typeof RECEIPT_OPERATIONS)[number];

/** An address without its query, and the query. */
export interface SplitAddress {
  readonly url: string;
  /** From the first `?` or `#` on, as written; absent if there is none. */
  readonly query?: string;
}

/**
 * Separates the part of an address that may identify a person: the query and the fragment.
 *
 * @example
 * ```ts
 * import { splitAddress } from '@touchstone/certificate/receipt';
 *
 * splitAddress('https://shop.example/cup?visitor=7').query; // '?visitor=7'
 * ```
 */
export function splitAddress(address: string): SplitAddress {
  const at = address.search(/[?#]/);
  return at === -1 ? { url: address } : { url: address.slice(0, at), query: address.slice(at) };
}

/** A request as receipts name it. */
export interface ReceiptRequest {
  /** Canonical JSON (RFC 8785) of the members that the service reads, its address without the query. */
  readonly text: string;
  /** The query of its address; absent if it has none. */
  readonly query?: string;
}

/**
 * The form in which receipts name a request: the members that the service reads, defaults filled in, `null` like absent; without what asks
 * for the receipt itself.
 *
 * @param request - the body as it was sent; of a verification with `productId`, which is part of the address there
 * @returns `null` if it has no canonical form
 * @example
 * ```ts
 * import { receiptRequest } from '@touchstone/certificate/receipt';
 *
 * receiptRequest('checkPage', { url: 'https://shop.example/cup', receipt: true })?.text; // '{"freshness":"cached","url":"https://shop.example/cup"}'
 * ```
 */
export function receiptRequest(operation: ReceiptOperation, request: unknown): ReceiptRequest | null {
  if (typeof request !== 'object' || request === null) return null;
  const asked = request as Readonly<Record<string, unknown>>;
  const address = operation === 'checkPage' ? asked.url : asked.productUrl;
  if (typeof address !== 'string') return null;
  const { url, query } = splitAddress(address);
  const text = canonicalJson(operation === 'checkPage' ? checkOf(asked, url) : verificationOf(asked, url));
  return text === null ? null : { text, ...(query === undefined ? {} : { query }) };
}

function checkOf({ freshness, images, explain, evidence, original }: Asked, url: string): object {
  return {
    url,
    // what is kept as evidence is always fetched anew
    freshness: evidence === true ? 'fresh' : (freshness ?? 'cached'),
    images: images ?? undefined,
    explain: explain === true || undefined,
    evidence: evidence === true || undefined,
    original: original ?? undefined,
  };
}

function verificationOf({ productId, document }: Asked, productUrl: string): object {
  const id = typeof productId === 'string' ? productId.toLowerCase() : productId;
  return { productId: id, productUrl, document: document ?? undefined };
}

type Asked = Readonly<Record<string, unknown>>;

/**
 * Canonical JSON of an answer as receipts name it: without the receipt, the evidence that was kept with it, and the list of
 * quotations that tools add.
 *
 * @returns `null` if it has no canonical form
 * @example
 * ```ts
 * import { receiptAnswer } from '@touchstone/certificate/receipt';
 *
 * receiptAnswer({ verdict: 'verified', receipt: { jws: 'a.b.c' } }); // '{"verdict":"verified"}'
 * ```
 */
export function receiptAnswer(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return null;
  const { receipt: _, evidence: _kept, untrusted: _quotations, ...rest } = answer as Asked;
  return canonicalJson(rest);
}
