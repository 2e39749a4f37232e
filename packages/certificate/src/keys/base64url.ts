const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** One byte per ASCII code: the value of the digit, or 255. */
function digitTable(): Uint8Array {
  const table = new Uint8Array(128).fill(255);
  for (let value = 0; value < 64; value++) table[ALPHABET.charCodeAt(value)] = value;
  return table;
}

const DIGITS = digitTable();

/**
 * Decodes base64url without padding (RFC 7515 section 2), and only its canonical form: no white space, no
 * other alphabet, and no bits left over at the end, so that no two texts stand for the same bytes.
 *
 * @returns `null` for anything else
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  const rest = text.length % 4;
  if (rest === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = DIGITS[text.charCodeAt(i)] ?? 255;
    if (digit === 255) return null;
    bits = (bits << 6) | digit;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[at++] = (bits >> held) & 255;
      bits &= (1 << held) - 1;
    }
  }
  return bits === 0 ? bytes : null;
}

/** Encodes bytes as base64url without padding (RFC 7515 section 2). */
export function encodeBase64url(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += ALPHABET.charAt(group >> 18) + ALPHABET.charAt((group >> 12) & 63);
    if (left > 1) text += ALPHABET.charAt((group >> 6) & 63);
    if (left > 2) text += ALPHABET.charAt(group & 63);
  }
  return text;
}
