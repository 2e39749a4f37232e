import { decodeBase64url, encodeBase64url } from '../proof/base64url.ts';

/**
 * SHA-256 of bytes: at once, as Node computes it, or by a promise, as WebCrypto does. What builds trees needs the former; what only
 * checks them takes either.
 */
export type HashBytes = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;

/** SHA-256 of bytes, at once or by a promise. */
export type AnyHash = (
  bytes: Uint8Array<ArrayBuffer>,
) => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;

/** Bytes of a SHA-256. */
export const HASH_BYTES = 32;

/**
 * SHA-256 by WebCrypto.
 *
 * @example
 * ```ts
 * import { webCryptoHash } from '@touchstone/certificate/log';
 *
 * (await webCryptoHash(new Uint8Array())).length; // 32
 * ```
 */
export async function webCryptoHash(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/**
 * Decodes base64 (RFC 4648 section 4) in canonical form only, so that no two texts decode to the same bytes.
 *
 * @returns `null` for anything else
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  return decodeBase64url(text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'));
}

/** Encodes bytes as base64 with padding (RFC 4648 section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  const digits = encodeBase64url(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, '=');
}

export function areEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Reads a number that is written without leading zeros; `null` for anything else, and above 2^53 - 1. */
export function parseDecimal(text: string): number | null {
  const value = Number(text);
  return /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(value) ? value : null;
}
