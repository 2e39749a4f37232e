import { webCryptoSha256 } from '../keys/web-crypto.ts';
import { encodeBase64url } from '../proof/base64url.ts';
import type { Receipt } from '../receipt/read-receipt.ts';
import type { ReceiptClaims } from '../receipt/receipt-claims.ts';
import type { ReceiptPublicJwk } from '../receipt/receipt-keys.ts';
import { receiptAnswer, receiptRequest } from '../receipt/receipt-request.ts';
import { type ReceiptSigner, signReceipt } from '../receipt/sign-receipt.ts';
import { TEST_ISSUER, TEST_NOW } from './issuer.ts';

/** A key of receipts, and receipts by it, for tests of whoever verifies them. */
export interface TestReceipts {
  readonly jwks: { readonly keys: readonly ReceiptPublicJwk[] };
  readonly signer: ReceiptSigner;
  /** The receipt of a page check, with the changes of a test. */
  receipt(request: object, answer: object, changes?: Partial<ReceiptClaims>): Promise<Receipt>;
}

/**
 * A new key of receipts.
 *
 * @param kid - its name
 * @example
 * ```ts
 * import { verifyReceipt } from '@touchstone/certificate/receipt';
 * import { TEST_ISSUER, TEST_NOW, testReceipts } from '@touchstone/certificate/testing';
 *
 * const { jwks, receipt } = await testReceipts();
 * const answer = { verdict: 'verified' };
 * const given = await receipt({ url: 'https://shop.example/cup' }, answer);
 * const trusting = { trustedIssuers: [TEST_ISSUER], jwks, now: TEST_NOW };
 * (await verifyReceipt(given, { ...trusting, answer })).compared.answer; // true
 * ```
 */
export async function testReceipts(kid = 'receipts-1'): Promise<TestReceipts> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const { x = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const sign = async (bytes: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, bytes));
  const signer = { kid, sign };
  const sha256 = webCryptoSha256();
  return {
    jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', kid, use: 'sig', alg: 'Ed25519', x }] },
    signer,
    async receipt(request, answer, changes = {}) {
      const asked = receiptRequest('checkPage', request);
      const answered = receiptAnswer(answer);
      if (asked === null || answered === null) throw new Error('it has no canonical form');
      const query = asked.query === undefined ? {} : { querySha256: await sha256(asked.query) };
      const claims: ReceiptClaims = {
        v: 1,
        iss: TEST_ISSUER,
        iat: TEST_NOW.getTime() / 1000,
        operation: 'checkPage',
        observed: 'submitted',
        request: { sha256: await sha256(asked.text), ...query },
        answer: { sha256: await sha256(answered) },
        verdict: 'verified',
        conclusion: 'issued_to_proven_host',
        verifier: 'touchstone/test',
        ...changes,
      };
      return { jws: await signReceipt(claims, signer) };
    },
  };
}

/** The SHA-256 of the bytes of a page, as receipts state it. */
export async function pageHash(page: Uint8Array<ArrayBuffer>): Promise<string> {
  return encodeBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', page)));
}
