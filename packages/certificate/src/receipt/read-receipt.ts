import { decodeBase64url } from '../proof/base64url.ts';
import { isObject, parseStrictObject } from '../proof/strict-json.ts';
import { RECEIPT_TYP } from './receipt-claims.ts';
import type { ReceiptFault } from './receipt-faults.ts';

/** A receipt as the service answers with it. */
export interface Receipt {
  /** Compact JWS. */
  readonly jws: string;
  /** Time-stamp token (RFC 3161) of the SHA-256 of `jws`, DER in base64; absent if no authority gave one. */
  readonly timestamp?: string;
}

/** Characters of the JWS. */
export const MAX_RECEIPT = 8_192;
/** Characters of a time stamp with its certificates. */
const MAX_TIMESTAMP = 65_536;

/** A receipt that was parsed, and is not verified. */
export interface ReceiptParts {
  readonly kid: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signingInput: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

const HEADER_NAMES = ['alg', 'kid', 'typ'];
const SIGNATURE_BYTES = 64;

/**
 * Takes a receipt from what somebody kept: its JWS, the receipt, or the whole answer that contains it.
 *
 * @returns `null` for anything else
 * @example
 * ```ts
 * import { receiptIn } from '@touchstone/certificate/receipt';
 *
 * receiptIn({ verdict: 'verified', receipt: { jws: 'a.b.c' } }); // { jws: 'a.b.c' }
 * ```
 */
export function receiptIn(given: unknown): Receipt | null {
  if (typeof given === 'string') return { jws: given };
  if (!isObject(given)) return null;
  const { jws, timestamp } = isObject(given.receipt) ? given.receipt : given;
  if (typeof jws !== 'string') return null;
  if (timestamp === undefined) return { jws };
  return typeof timestamp === 'string' ? { jws, timestamp } : null;
}

/** Parses strictly, so that no two texts are the same receipt. @returns the parts, or the first fault */
export function readReceipt({ jws, timestamp = '' }: Receipt): ReceiptParts | ReceiptFault {
  if (jws.length > MAX_RECEIPT || timestamp.length > MAX_TIMESTAMP) return 'receipt_too_large';
  const parts = jws.split('.', 4);
  const [head, payload, signature] = parts.map(decodeBase64url);
  const header = head && parseStrictObject(head);
  const claims = payload && parseStrictObject(payload);
  if (parts.length !== 3 || !header || !claims || signature?.length !== SIGNATURE_BYTES)
    return 'receipt_malformed';
  if (header.typ !== RECEIPT_TYP) return 'receipt_type_wrong';
  if (header.alg !== 'Ed25519') return 'receipt_algorithm_not_allowed';
  if (!Object.keys(header).every((name) => HEADER_NAMES.includes(name))) return 'receipt_header_not_allowed';
  if (typeof header.kid !== 'string' || header.kid === '') return 'receipt_malformed';
  const signingInput = new TextEncoder().encode(jws.slice(0, jws.lastIndexOf('.')));
  return { kid: header.kid, claims, signingInput, signature };
}
