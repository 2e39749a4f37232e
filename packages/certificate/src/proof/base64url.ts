const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Maps ASCII codes to digit values; other bytes to a negative number. */
function digitTable(): Int32Array {
  const table = new Int32Array(256).fill(-1);
  for (let value = 0; value < 64; value++) table[ALPHABET.charCodeAt(value)] = value;
  return table;
}

const DIGITS = digitTable();

/** The ASCII code of each digit. */
const CODES = Uint8Array.from(ALPHABET, (digit) => digit.charCodeAt(0));
const ASCII = new TextDecoder();

/**
 * Decodes base64url without padding (RFC 7515 section 2), in canonical form only: no white space, no other alphabet and
 * no non-zero trailing bits, so that no two strings decode to the same bytes.
 *
 * @returns `null` for anything else
 * @example
 * ```ts
 * import { decodeBase64url } from '@touchstone/certificate/issue';
 *
 * decodeBase64url('AQI')?.length; // 2
 * decodeBase64url('AQI='); // null
 * ```
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = new TextEncoder().encode(text);
  return decodeInPlace(bytes, 0, bytes.length);
}

/**
 * Decodes a range of an ASCII buffer in place: the result is never longer than the text. A verifier decodes three parts
 * of each proof, and allocation costs more than decoding.
 */
export function decodeInPlace(
  bytes: Uint8Array<ArrayBuffer>,
  start: number,
  end: number,
): Uint8Array<ArrayBuffer> | null {
  const rest = (end - start) % 4;
  if (rest === 1) return null;
  const whole = end - rest;
  let at = start;
  let wrong = 0;
  for (let i = start; i < whole; i += 4) {
    const group = groupAt(bytes, i) | digitAt(bytes, i + 3);
    wrong |= group;
    bytes[at++] = group >> 16;
    bytes[at++] = group >> 8;
    bytes[at++] = group;
  }
  if (rest > 0) {
    const third = rest === 3 ? digitAt(bytes, whole + 2) << 6 : 0;
    const group = (digitAt(bytes, whole) << 18) | (digitAt(bytes, whole + 1) << 12) | third;
    if ((group & (rest === 3 ? 0xff : 0xffff)) !== 0) return null;
    wrong |= group;
    bytes[at++] = group >> 16;
    if (rest === 3) bytes[at++] = group >> 8;
  }
  return wrong < 0 ? null : new Uint8Array(bytes.buffer, start, at - start);
}

/** The first three digits of a group of four, shifted into position; negative if one is invalid. */
function groupAt(ascii: Uint8Array, place: number): number {
  return (digitAt(ascii, place) << 18) | (digitAt(ascii, place + 1) << 12) | (digitAt(ascii, place + 2) << 6);
}

function digitAt(ascii: Uint8Array, place: number): number {
  return DIGITS[ascii[place] as number] as number;
}

/**
 * Encodes bytes as base64url without padding (RFC 7515 section 2).
 *
 * @example
 * ```ts
 * import { encodeBase64url } from '@touchstone/certificate/issue';
 *
 * encodeBase64url(new Uint8Array([1, 2])); // 'AQI'
 * ```
 */
export function encodeBase64url(bytes: Uint8Array): string {
  const { length } = bytes;
  const digits = new Uint8Array(Math.ceil((length * 4) / 3));
  let at = 0;
  for (let i = 0; i < length; i += 3) {
    // bytes past the end count as zero; digits past the end of `digits` are dropped
    const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    digits[at++] = CODES[group >> 18] as number;
    digits[at++] = CODES[(group >> 12) & 63] as number;
    digits[at++] = CODES[(group >> 6) & 63] as number;
    digits[at++] = CODES[group & 63] as number;
  }
  return ASCII.decode(digits);
}
