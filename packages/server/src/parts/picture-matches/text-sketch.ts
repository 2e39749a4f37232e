import { plainText } from './plain-text.ts';

/** Words of a shingle: most of those of a text survive when its sentences change places, and few are in the texts of other products. */
const SHINGLE = 4;
/** Different shingles that a text needs: shorter ones are alike by chance, or the same phrase. */
const MIN_SHINGLES = 12;
/** UTF-16 units of a text that are read. */
const MAX_LENGTH = 5_000;
/** Bytes of a sketch, one for each hash function. */
export const SKETCH_BYTES = 128;

/**
 * A word, or a single character of the scripts that put no space between words. Everything else only separates.
 */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{M}\p{N}]+/gu;

/**
 * What the text of a page is recognised by: for each of 128 hash functions, the last byte of its least value over all shingles of words
 * (minwise hashing, Broder 1997; of b bits, Li and König 2010). The text cannot be read from it. Case, form of characters, white space
 * and punctuation make no difference, and no language is assumed.
 *
 * @returns `undefined` for a text that is too short to be recognised
 */
export function sketchText(text: string): Uint8Array | undefined {
  const words = plainText(text.slice(0, MAX_LENGTH)).match(WORD) ?? [];
  const shingles = new Set<number>();
  for (let at = 0; at + SHINGLE <= words.length; at += 1)
    shingles.add(hash(words.slice(at, at + SHINGLE).join(' ')));
  if (shingles.size < MIN_SHINGLES) return undefined;
  return Uint8Array.from({ length: SKETCH_BYTES }, (_, nth) => {
    const seed = mix(nth + 1);
    let least = 2 ** 32;
    for (const shingle of shingles) least = Math.min(least, mix(shingle ^ seed));
    return least & 0xff;
  });
}

/** The share of the shingles of both texts that are in each, from 0 to 1: an estimate, with a standard deviation of at most 0.045. */
export function shareOfText(a: Uint8Array, b: Uint8Array): number {
  const equal = a.reduce((count, byte, at) => count + Number(byte === b[at]), 0) / SKETCH_BYTES;
  // one byte in 256 is equal by chance
  return Math.max(0, (equal - 1 / 256) / (1 - 1 / 256));
}

/** FNV-1a, over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value;
}

/** The last steps of MurmurHash3: every bit depends on every other. From 0 to 2³² - 1. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
