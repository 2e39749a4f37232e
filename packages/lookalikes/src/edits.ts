import type { ResemblanceKind } from './resemblances.ts';

/** Letters from which a name may differ by this many edits: shorter names are near too many others. */
export const ONE_EDIT_FROM = 6;
export const TWO_EDITS_FROM = 10;
/** Letters up to which two edits are looked for: their number grows with the square. */
export const TWO_EDITS_TO = 32;

/** Edits by which a name of so many letters may differ. */
export function editsOf(length: number): 0 | 1 | 2 {
  if (length < ONE_EDIT_FROM) return 0;
  return length < TWO_EDITS_FROM || length > TWO_EDITS_TO ? 1 : 2;
}

/** Of a polynomial over the characters, modulo 2³²: a text without some of them is hashed in a few steps. */
const FACTOR = 0x01000193;

/** Hashes of a text without up to `most` of its characters: two texts within that many edits share one (as in SymSpell). */
export function deletionHashes(text: string, most: number, use: (hash: number) => void): void {
  const { length } = text;
  const powers = new Int32Array(length + 1);
  const until = new Int32Array(length + 1);
  powers[0] = 1;
  for (let at = 0; at < length; at += 1) {
    powers[at + 1] = Math.imul(powers[at] ?? 0, FACTOR);
    until[at + 1] = Math.imul(until[at] ?? 0, FACTOR) + text.charCodeAt(at) + 1;
  }
  const part = (from: number, to: number) =>
    (until[to] ?? 0) - Math.imul(until[from] ?? 0, powers[to - from] ?? 0);
  use((until[length] ?? 0) | 0);
  if (most === 0) return;
  for (let first = 0; first < length; first += 1) {
    const before = until[first] ?? 0;
    use((Math.imul(before, powers[length - first - 1] ?? 0) + part(first + 1, length)) | 0);
    if (most === 1) continue;
    for (let second = first + 1; second < length; second += 1) {
      const joined = Math.imul(before, powers[second - first - 1] ?? 0) + part(first + 1, second);
      use((Math.imul(joined, powers[length - second - 1] ?? 0) + part(second + 1, length)) | 0);
    }
  }
}

/**
 * How one name comes from another by at most two edits: a letter added, left out or replaced, or two neighbours swapped.
 *
 * @returns the number of edits and their kind; `null`: there are more
 */
export function compareSpelling(found: string, name: string): { edits: 1 | 2; kind: ResemblanceKind } | null {
  if (Math.abs(found.length - name.length) > 2) return null;
  let start = 0;
  while (start < found.length && found[start] === name[start]) start += 1;
  let end = 0;
  const shorter = Math.min(found.length, name.length) - start;
  while (end < shorter && found[found.length - 1 - end] === name[name.length - 1 - end]) end += 1;
  const a = found.slice(start, found.length - end);
  const b = name.slice(start, name.length - end);
  if (a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0])
    return { edits: 1, kind: 'swapped_letters' };
  if (a.length + b.length === 1) {
    if (b.length === 1) return { edits: 1, kind: 'omitted_letter' };
    const isDoubled = found[start - 1] === a || found[start + 1] === a;
    return { edits: 1, kind: isDoubled ? 'doubled_letter' : 'similar_spelling' };
  }
  const edits = distance(a, b);
  return edits > 2 || edits === 0 ? null : { edits: edits as 1 | 2, kind: 'similar_spelling' };
}

/** Optimal string alignment distance; texts that differ by more than two are too far apart anyway. */
function distance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (beforePrevious[j - 2] ?? 0) + 1);
      row.push(least);
    }
    if (Math.min(...row) > 2) return 3;
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length] ?? 3;
}
