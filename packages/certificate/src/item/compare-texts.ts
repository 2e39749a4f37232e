import { shopName } from '../agreement/compare-names.ts';
import { type Name, nameOf } from '../agreement/names.ts';
import type { SignedValues } from '../agreement/types.ts';

/** `options`: the signed words with those of the variant, or the latter alone. */
type Compared = 'agrees' | 'differs' | 'options';

/** Characters up to which names are compared by their words. */
const MAX_NAME = 500;

/**
 * Compares a name or brand of an item with the signed one: by their words, without case, diacritics and punctuation. Items are data, of
 * which each statement is meant: unlike on a page, any other word is a difference, except words of the shop and the signed brand, which
 * feeds add to names.
 *
 * @param options - values of the options of the variant
 */
export function compareTexts(
  signed: string,
  stated: string,
  { storeName = '', domain = '', brand = '' }: Omit<SignedValues, 'productName'>,
  options: readonly string[] = [],
): Compared {
  if (signed.trim() === stated.trim()) return 'agrees';
  const [own, theirs] = [nameOf(signed), nameOf(stated)];
  const isCut = Math.max(signed.length, stated.length) > MAX_NAME;
  if (isCut || own.words.size === 0 || theirs.words.size === 0) return 'differs';
  if (own.joined === theirs.joined) return 'agrees';
  const added = new Set([...shopName(storeName, domain).words, ...nameOf(brand).words]);
  const ofVariant = wordsOfAll(options);
  const more = [...theirs.words].filter((word) => !own.words.has(word) && !added.has(word));
  const isWhole = [...own.words].every((word) => theirs.words.has(word));
  if (isWhole && more.length === 0) return 'agrees';
  const isOfVariant = more.every((word) => ofVariant.has(word));
  if (isWhole && isOfVariant) return 'options';
  return [...theirs.words].every((word) => ofVariant.has(word)) ? 'options' : 'differs';
}

/** Options that are read; items have a few. */
const MAX_OPTIONS = 20;

function wordsOfAll(texts: readonly string[]): Name['words'] {
  return new Set(texts.slice(0, MAX_OPTIONS).flatMap((text) => [...nameOf(text).words]));
}
