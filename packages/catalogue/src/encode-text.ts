import type { SourceForm } from './source-decoder.ts';

/**
 * Encodes text as the source was that it comes from, so that what was not changed stays the same bytes. Compression is the caller's.
 *
 * @param form - as `textPieces` has filled it in
 * @returns `null` for an encoding of several bytes that is neither UTF-8 nor UTF-16
 */
export function textEncoder(form: SourceForm): ((text: string) => Uint8Array) | null {
  const { encoding = 'utf-8' } = form;
  if (encoding === 'utf-8') {
    const encoder = new TextEncoder();
    return (text) => encoder.encode(text);
  }
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const isLittle = encoding === 'utf-16le';
    return (text) => {
      const bytes = new DataView(new ArrayBuffer(text.length * 2));
      for (let at = 0; at < text.length; at++) bytes.setUint16(at * 2, text.charCodeAt(at), isLittle);
      return new Uint8Array(bytes.buffer);
    };
  }
  const bytes = singleBytes(encoding);
  return bytes === null ? null : (text) => Uint8Array.from(text, (char) => bytes.get(char) ?? 0x3f);
}

/** The bytes of an encoding with one byte for each character, by their characters. */
function singleBytes(encoding: string): ReadonlyMap<string, number> | null {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) {
    const char = decoder.decode(Uint8Array.of(byte));
    if ([...char].length !== 1) return null;
    if (char !== '\uFFFD') bytes.set(char, byte);
  }
  // of several bytes, the first ones alone are no characters; of one, all but a few are
  return bytes.size < 200 ? null : bytes;
}
