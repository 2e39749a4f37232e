import { CONFUSABLE } from './confusable-table.ts';

/** Latin small capitals, which Unicode keeps apart: Cyrillic м, к, н, т, в look like them. */
const SMALL_CAPITALS: Readonly<Record<string, string>> = {
  ᴀ: 'a',
  ʙ: 'b',
  ᴄ: 'c',
  ᴅ: 'd',
  ᴇ: 'e',
  ꜰ: 'f',
  ɢ: 'g',
  ʜ: 'h',
  ɪ: 'i',
  ᴊ: 'j',
  ᴋ: 'k',
  ʟ: 'l',
  ᴍ: 'm',
  ɴ: 'n',
  ᴏ: 'o',
  ᴘ: 'p',
  ʀ: 'r',
  ꜱ: 's',
  ᴛ: 't',
  ᴜ: 'u',
  ᴠ: 'v',
  ᴡ: 'w',
  ʏ: 'y',
  ᴢ: 'z',
};

const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  Object.entries(CONFUSABLE).flatMap(([target, chars]) =>
    Array.from(
      chars,
      (char) => [char, Array.from(target, (one) => SMALL_CAPITALS[one] ?? one).join('')] as const,
    ),
  ),
);

/**
 * A label with each character beyond ASCII replaced by the one that it looks like, if there is one, without accents
 * (skeleton of UTS #39), and without hyphens. What is ASCII stays: `skeletonOf` goes on from here.
 */
export function foldLabel(unicode: string): string {
  if (/^[a-z0-9]+$/.test(unicode)) return unicode;
  const plain = unicode.replaceAll('-', '');
  if (/^[a-z0-9_]*$/.test(plain)) return plain;
  const replaced = (text: string) =>
    Array.from(text, (char) => LOOKS_LIKE.get(char) ?? SMALL_CAPITALS[char] ?? char).join('');
  // once before and once after the marks are gone: some characters are alike only with their marks
  return replaced(replaced(plain).normalize('NFD').replace(/\p{M}/gu, '')).replaceAll('-', '');
}

/**
 * What a folded label looks like among letters and digits of ASCII. UTS #39 has rn for m, l for 1 and o for 0; vv for w is
 * ours.
 */
export function skeletonOf(folded: string): string {
  if (!/[01]|rn|vv/.test(folded)) return folded;
  return folded.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w');
}
