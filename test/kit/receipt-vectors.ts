import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The format of test/vectors/receipts (docs/vectors.md). */
export interface ReceiptVectorFile {
  readonly name: string;
  readonly about: string;
  /** Trusted. */
  readonly issuers: readonly string[];
  readonly jwks: unknown;
  /** Seconds since 1970. */
  readonly now: number;
  readonly vectors: readonly ReceiptVector[];
}

export interface ReceiptVector {
  readonly id: string;
  readonly title: string;
  /** The JWS, the receipt, or the answer that contains it. */
  readonly given: unknown;
  /** What it is compared with; absent: not given. */
  readonly request?: unknown;
  readonly answer?: unknown;
  /** Base64. */
  readonly page?: string;
  /** In place of those of the file. */
  readonly issuers?: readonly string[];
  readonly jwks?: unknown;
  readonly expect: {
    /** Whether the claims are signed by a trusted issuer, so that they may be shown. */
    readonly signed: boolean;
    /** Codes (docs/codes.md), in any order; none: the receipt is valid. */
    readonly faults: readonly string[];
  };
}

/** Reads test/vectors/receipts. */
export function receiptVectorFile(): ReceiptVectorFile {
  const path = join(import.meta.dirname, '../vectors/receipts/receipts.json');
  return JSON.parse(readFileSync(path, 'utf8')) as ReceiptVectorFile;
}
