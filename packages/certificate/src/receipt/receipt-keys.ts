import { decodeBase64url } from '../proof/base64url.ts';
import { isObject } from '../proof/strict-json.ts';

/** A public key of receipts as the service publishes it (RFC 8037, RFC 9864). */
export interface ReceiptPublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'Ed25519';
  /** 32 bytes, base64url. */
  readonly x: string;
}

/** Verifies an Ed25519 signature (RFC 8032). @param x - the public key, base64url */
export type VerifyEd25519 = (
  x: string,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
) => boolean | Promise<boolean>;

/**
 * Address of the key set of an issuer's receipts.
 *
 * @example
 * ```ts
 * import { receiptJwksUrl } from '@touchstone/certificate/receipt';
 *
 * receiptJwksUrl('https://certificates.example'); // 'https://certificates.example/api/v1/.well-known/receipt-jwks.json'
 * ```
 */
export function receiptJwksUrl(issuer: string): string {
  return `${issuer}/api/v1/.well-known/receipt-jwks.json`;
}

/** The public key of this name; `null` if there is none, or more than one. */
export function receiptKey(jwks: unknown, kid: string): string | null {
  const keys = isObject(jwks) && Array.isArray(jwks.keys) ? (jwks.keys as unknown[]) : [];
  const [key, ...others] = keys.filter((one) => isObject(one) && one.kid === kid);
  if (!isObject(key) || others.length > 0) return null;
  const { kty, crv, x, use = 'sig', alg = 'Ed25519' } = key;
  const isUsable = kty === 'OKP' && crv === 'Ed25519' && use === 'sig' && alg === 'Ed25519';
  return isUsable && typeof x === 'string' && decodeBase64url(x)?.length === 32 ? x : null;
}

/** The signature primitive for any JavaScript runtime (W3C Web Cryptography, Secure Curves). */
export async function webCryptoEd25519(
  x: string,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x };
  const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, signature, data);
}
