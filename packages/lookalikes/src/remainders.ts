import { foldLabel } from './fold.ts';
import type { Label } from './split-host.ts';
import { ADDED_WORDS, HYPHENATED_WORDS, LONGEST_ADDED } from './words.ts';

/** A name without words that were added to it. */
export interface Remainder {
  readonly folded: string;
  /** Whether hyphens keep it apart from what was added. */
  readonly isApart: boolean;
}

/** Words that are taken off a name, at most. */
const MOST_WORDS = 2;
const SHORTEST = 4;
/** Of a name that runs into an added word, which may as well be part of it. */
const SHORTEST_JOINED = 5;

/** What is left of a label without added words, in each way in which it can be read. */
export function remaindersOf({ unicode, folded }: Label): Remainder[] {
  const found: Remainder[] = [];
  if (unicode.includes('-')) {
    const parts = unicode.split('-').filter((part) => part !== '');
    let [from, to] = [0, parts.length];
    for (let taken = 0; taken <= MOST_WORDS && from < to; taken += 1) {
      if (taken > 0) found.push({ folded: foldLabel(parts.slice(from, to).join('')), isApart: true });
      if (isAdded(parts[to - 1])) to -= 1;
      else if (isAdded(parts[from])) from += 1;
      else break;
    }
  }
  for (const shorter of withoutWord(folded)) {
    found.push({ folded: shorter, isApart: false });
    for (const shortest of withoutWord(shorter)) found.push({ folded: shortest, isApart: false });
  }
  return found.filter(({ folded: { length }, isApart }) => length >= (isApart ? SHORTEST : SHORTEST_JOINED));
}

const isAdded = (part: string | undefined) =>
  part !== undefined && (HYPHENATED_WORDS.has(part) || /^\d{1,4}$/.test(part));

function withoutWord(text: string): string[] {
  const found: string[] = [];
  const longest = Math.min(LONGEST_ADDED, text.length - SHORTEST_JOINED);
  for (let length = 2; length <= longest; length += 1) {
    if (ADDED_WORDS.has(text.slice(-length))) found.push(text.slice(0, -length));
    if (ADDED_WORDS.has(text.slice(0, length))) found.push(text.slice(length));
  }
  const digits = /^(.*?\D)\d{1,4}$/.exec(text)?.[1];
  if (digits !== undefined) found.push(digits);
  return found;
}
