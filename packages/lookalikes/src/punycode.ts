/** Parameters of Punycode (RFC 3492, section 5). */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE_POINT = 0x80;
const LAST_CODE_POINT = 0x10ffff;

/**
 * Decodes what follows `xn--` in a label (RFC 3492). `URL` only encodes, and not every runtime has a decoder.
 *
 * @returns `null` if it is not valid Punycode
 */
export function decodePunycode(text: string): string | null {
  const basicEnd = Math.max(0, text.lastIndexOf('-'));
  const output = Array.from(text.slice(0, basicEnd), (char) => char.charCodeAt(0));
  let codePoint = FIRST_CODE_POINT;
  let position = 0;
  let bias = FIRST_BIAS;
  for (let at = basicEnd > 0 ? basicEnd + 1 : 0; at < text.length; ) {
    const before = position;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(text.charCodeAt(at));
      at += 1;
      if (digit === null) return null;
      position += digit * weight;
      if (!Number.isSafeInteger(position)) return null;
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapt(position - before, length, before === 0);
    codePoint += Math.floor(position / length);
    position %= length;
    if (codePoint > LAST_CODE_POINT || (codePoint >= 0xd800 && codePoint < 0xe000)) return null;
    output.splice(position, 0, codePoint);
    position += 1;
  }
  return String.fromCodePoint(...output);
}

/** `NaN`, the code at the end of a text, is no digit. */
function digitOf(code: number): number | null {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter < 26 && code < 0x80 ? letter : null;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
