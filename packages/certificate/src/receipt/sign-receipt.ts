import { encodeBase64url } from '../proof/base64url.ts';
import { RECEIPT_TYP, type ReceiptClaims } from './receipt-claims.ts';

/** Signs with one key of receipts. */
export interface ReceiptSigner {
  readonly kid: string;
  /** Ed25519. */
  sign(bytes: Uint8Array<ArrayBuffer>): Uint8Array | Promise<Uint8Array>;
}

/**
 * Signs a receipt.
 *
 * @returns a compact JWS (RFC 7515)
 * @throws what the signer throws
 * @example
 * ```ts
 * import { signReceipt, verifyReceipt } from '@touchstone/certificate/receipt';
 * import { TEST_ISSUER, TEST_NOW, testReceipts } from '@touchstone/certificate/testing';
 *
 * const { jwks, signer } = await testReceipts();
 * const claims = {
 *   v: 1,
 *   iss: TEST_ISSUER,
 *   iat: TEST_NOW.getTime() / 1000,
 *   operation: 'checkPage',
 *   observed: 'submitted',
 *   request: { sha256: 'A'.repeat(43) },
 *   answer: { sha256: 'A'.repeat(43) },
 *   verdict: 'page_fetch_failed',
 *   conclusion: 'page_fetch_failed',
 *   verifier: 'example/1',
 * } as const;
 * const jws = await signReceipt(claims, signer);
 * (await verifyReceipt(jws, { trustedIssuers: [TEST_ISSUER], jwks, now: TEST_NOW })).valid; // true
 * ```
 */
export async function signReceipt(claims: ReceiptClaims, signer: ReceiptSigner): Promise<string> {
  const header = { alg: 'Ed25519', kid: signer.kid, typ: RECEIPT_TYP };
  const signingInput = `${encodedJson(header)}.${encodedJson(claims)}`;
  const signature = await signer.sign(new TextEncoder().encode(signingInput));
  return `${signingInput}.${encodeBase64url(signature)}`;
}

function encodedJson(value: object): string {
  return encodeBase64url(new TextEncoder().encode(JSON.stringify(value)));
}
