const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/**
 * Whether JSON has more than `most` values, by the characters that separate and open them: those within texts count, too. Parsing
 * costs up to a hundred times as much for many small values as for a few long ones.
 */
export function hasMoreValues(bytes: Uint8Array, most: number): boolean {
  let count = 0;
  for (const byte of bytes) {
    if (byte !== COMMA && byte !== COLON && byte !== BRACKET && byte !== BRACE) continue;
    count += 1;
    if (count > most) return true;
  }
  return false;
}
