import { GENERIC_WORDS, isVariantWord, LINKING_WORDS } from './name-words.ts';

/** Characters of a name that are compared. */
const MAX_NAME = 500;
/** Words of a name that are compared. */
const MAX_WORDS = 80;

/** Letters that have no decomposition, with the spelling that is used without them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Text for comparison: compatibility forms unified, without case, diacritics, trade marks and punctuation. */
export function foldName(text: string): string {
  return text
    .slice(0, MAX_NAME)
    .replace(/[™®©℠]/gu, ' ')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}'’‘`´′"”“″]+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/gu, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Scripts written without spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+/gu;

/** Words of a folded name. Runs of scripts without spaces are split into pairs of characters, which needs no dictionary. */
export function wordsOf(folded: string): Set<string> {
  const words = new Set<string>();
  const spaced = folded.replace(UNSPACED, (run) => {
    const letters = [...run];
    if (letters.length === 1) words.add(run);
    for (let i = 1; i < letters.length; i++) words.add(`${letters[i - 1]}${letters[i]}`);
    return ' ';
  });
  for (const word of spaced.split(' ')) if (word !== '') words.add(word);
  return words.size > MAX_WORDS ? new Set([...words].slice(0, MAX_WORDS)) : words;
}

/** Scripts whose names can be compared with each other. Kana and Han occur in one text; digits belong to none. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['latin', /\p{sc=Latin}/u],
  ['cyrillic', /\p{sc=Cyrillic}/u],
  ['greek', /\p{sc=Greek}/u],
  ['east asian', /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u],
  ['korean', /\p{sc=Hangul}/u],
  ['arabic', /\p{sc=Arabic}/u],
  ['hebrew', /\p{sc=Hebrew}/u],
  ['thai', /\p{sc=Thai}/u],
  [
    'other',
    /[\p{L}--[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Thai}]]/v,
  ],
];

/** A name as it is compared. */
export interface Name {
  readonly words: ReadonlySet<string>;
  /** Folded, without spaces: shops write `T-Shirt`, `T Shirt` and `Tshirt`. */
  readonly joined: string;
}

export function nameOf(text: string): Name {
  const folded = foldName(text);
  return { words: wordsOf(folded), joined: folded.replaceAll(' ', '') };
}

function scriptsOf(words: ReadonlySet<string>): string[] {
  const text = [...words].join(' ');
  return SCRIPTS.filter(([, pattern]) => pattern.test(text)).map(([script]) => script);
}

/**
 * How a stated name relates to the signed one. `same`: the same words, apart from those of the shop and of variants. `close`: most words
 * of the shorter one, and few others. `distant`: they share a word or spelling. `other`: nothing in common. `foreign`: in a script that
 * cannot be compared. `none`: it names nothing, or a shop or a part of a page.
 */
export type NameRelation = 'same' | 'close' | 'distant' | 'other' | 'foreign' | 'none';

/**
 * @param shop - words of the shop's name and host, which templates add to names
 */
export function relate(signed: Name, stated: Name, shop: Name): NameRelation {
  if (stated.words.size === 0) return 'none';
  if (stated.joined === signed.joined) return 'same';
  const own = without(signed.words, shop.words);
  const theirs = without(stated.words, own.size === 0 ? new Set() : shop.words);
  const words = own.size === 0 ? signed.words : own;
  const missing = [...words].filter((word) => !theirs.has(word));
  const added = [...theirs].filter((word) => !words.has(word));
  if (missing.length === 0 && added.every((word) => isGeneric(word) || isVariantWord(word))) return 'same';
  if (stated.joined === shop.joined || [...theirs].every(isGeneric)) return 'none';
  const [scripts, theirScripts] = [scriptsOf(words), scriptsOf(theirs)];
  // a price, a date
  if (theirScripts.length === 0 && scripts.length > 0) return 'none';
  const shared = sharedWords(words, theirs);
  if (shared.isMost && !(missing.some(isNumbered) && added.some(isNumbered))) return 'close';
  if (shared.count > 0 || resembles(signed.joined, stated.joined)) return 'distant';
  return scripts.length === 0 || scripts.some((script) => theirScripts.includes(script))
    ? 'other'
    : 'foreign';
}

function without(words: ReadonlySet<string>, removed: ReadonlySet<string>): Set<string> {
  return new Set([...words].filter((word) => !removed.has(word)));
}

function isGeneric(word: string): boolean {
  return GENERIC_WORDS.has(word) || LINKING_WORDS.has(word);
}

/** Whether a word may tell two models of one name apart. */
function isNumbered(word: string): boolean {
  return /\d/.test(word);
}

/** Share of the words of the shorter name that the other must have to be close to it. */
const MOST = 2 / 3;

/** Counts the words that two names share, of those that say something. */
function sharedWords(
  signed: ReadonlySet<string>,
  stated: ReadonlySet<string>,
): { readonly count: number; readonly isMost: boolean } {
  const [own, theirs] = [telling(signed), telling(stated)];
  const shared = own.filter((word) => theirs.some((other) => isSameWord(word, other)));
  const added = theirs.filter(
    (word) => !isVariantWord(word) && !own.some((other) => isSameWord(word, other)),
  );
  const isMost =
    shared.length >= MOST * Math.min(own.length, theirs.length) && added.length * 2 <= own.length;
  return { count: shared.length, isMost };
}

/** Words that say something: no article, single letter or short number, if the name has others. */
function telling(words: ReadonlySet<string>): string[] {
  const all = [...words];
  const told = all.filter((word) => !isGeneric(word) && !/^(?:[a-z]|\d{1,2})$/.test(word));
  return told.length === 0 ? all : told;
}

/** Letters that inflected forms of a word share at least. */
const STEM = 3;

function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const least = Math.max(STEM, Math.max(a.length, b.length) - 3);
  return a.slice(0, least) === b.slice(0, least) && Math.min(a.length, b.length) >= least;
}

/** Share of common triples of characters from which on two names resemble each other: compounds, other spellings. */
const RESEMBLING = 0.4;

function resembles(a: string, b: string): boolean {
  const [left, right] = [triplesOf(a), triplesOf(b)];
  const least = Math.min(left.size, right.size);
  if (least < 3) return false;
  let shared = 0;
  for (const triple of left) if (right.has(triple)) shared++;
  return shared / least >= RESEMBLING;
}

function triplesOf(text: string): Set<string> {
  const triples = new Set<string>();
  for (let i = 0; i + 3 <= text.length; i++) triples.add(text.slice(i, i + 3));
  return triples;
}
