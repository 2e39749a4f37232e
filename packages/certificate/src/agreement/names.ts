/** Text of a name for comparison: compatibility forms unified, without case, diacritics, marks and apostrophes. */
export function foldName(text: string): string {
  return text
    .slice(0, MAX_NAME)
    .normalize('NFKD')
    .replace(/[\p{M}'’`´]+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Characters of a name that are compared. */
const MAX_NAME = 500;
/** Scripts written without spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu;

/** Words of a folded name; runs of scripts without spaces are split into pairs of characters. */
export function wordsOf(folded: string): Set<string> {
  const words = new Set<string>();
  const spaced = folded.replace(UNSPACED, (run) => {
    const letters = [...run];
    if (letters.length === 1) words.add(run);
    for (let i = 1; i < letters.length; i++) words.add(`${letters[i - 1]}${letters[i]}`);
    return ' ';
  });
  for (const word of spaced.split(' ')) if (word !== '') words.add(word);
  return words;
}
