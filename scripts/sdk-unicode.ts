import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { domainToUnicode } from 'node:url';

// node scripts/sdk-unicode.ts: writes what the verifier in Go must know of Unicode to read hosts, since the standard library of Go has
// neither UTS 46 nor normalisation. All of it is found by asking this runtime, whose answers the verifiers must share: its URL parser for
// the mapping of characters and the rules of labels (RFC 5893, RFC 5892 appendix A), its normalisation for the composition of characters.

/** Letters that combine with nothing: written from left to right, and from right to left. */
const [LEFT, RIGHT] = ['\u4e00', '\u05d0'];
/** Letters that join on both sides, in either direction; and a mark of each direction of joining. */
const [JOINING_LEFT, JOINING_RIGHT] = ['\u1820', '\u0628'];
const [JOINER, NON_JOINER] = ['\u200d', '\u200c'];

const hostOf = (label: string): string | null => URL.parse(`http://${label}/`)?.hostname ?? null;
const isLabel = (text: string): boolean => hostOf(text) !== null;

/** What a character becomes: itself, other text, nothing; null if no host may have it. */
function mapped(char: string): string | null {
  for (const letter of [LEFT, RIGHT]) {
    const host = hostOf(letter + char + letter);
    if (host === null) continue;
    const text = domainToUnicode(host);
    if (text.startsWith(letter) && text.endsWith(letter)) return text.slice(1, -1);
  }
  return null;
}

/**
 * `L`, `R`: the direction of a letter; `E`, `A`: digits; `N`: what takes that of the character before; `O`: any other. Then whether it may
 * stand before or after a non-joiner (`b`, `a`), is a virama (`v`), or a mark, with which no label begins (`m`).
 */
function traits(char: string): string {
  const inRight = (before: string, after: string) => isLabel(RIGHT + before + char + after);
  let direction = 'O';
  if (!inRight('', RIGHT)) direction = 'L';
  else if (!inRight('\u0660', RIGHT)) direction = 'E';
  else if (!inRight('1', RIGHT)) direction = 'A';
  else if (!isLabel(LEFT + char + LEFT)) direction = 'R';
  else if (inRight('', '')) direction = 'N';
  const joins = (test: (letter: string, joining: string) => string) =>
    isLabel(test(LEFT, JOINING_LEFT)) || isLabel(test(RIGHT, JOINING_RIGHT));
  const isVirama = joins((letter) => letter + char + JOINER + letter);
  const isBefore = !isVirama && joins((letter, joining) => letter + char + NON_JOINER + joining);
  const isAfter = joins((letter, joining) => joining + NON_JOINER + char + letter);
  const isMark = direction !== 'A' && !isLabel(char + LEFT) && !isLabel(char + RIGHT);
  return (
    direction + (isBefore ? 'b' : '') + (isAfter ? 'a' : '') + (isVirama ? 'v' : '') + (isMark ? 'm' : '')
  );
}

const hex = (code: number): string => code.toString(16).toUpperCase();
const hexOf = (text: string): string =>
  Array.from(text, (char) => hex(char.codePointAt(0) as number)).join('+');

/** Lines of consecutive characters: with one value, or with each its own. */
function lines(kind: string, values: ReadonlyMap<number, string>, isShared: boolean): string[] {
  const runs: { start: number; end: number; told: string[] }[] = [];
  for (const [code, value] of values) {
    const last = runs.at(-1);
    const isNext = last?.end === code - 1 && (!isShared || last.told[0] === value);
    if (last === undefined || !isNext) runs.push({ start: code, end: code, told: [value] });
    else {
      last.end = code;
      if (!isShared) last.told.push(value);
    }
  }
  return runs.map(({ start, end, told }) =>
    isShared ? `${kind} ${hex(start)} ${hex(end)} ${told[0]}` : `${kind} ${hex(start)} ${told.join(' ')}`,
  );
}

const allowed = new Map<number, string>();
const becomes = new Map<number, string>();
const parts = new Map<number, string>();
const marks: string[] = [];
for (let code = 0x80; code <= 0x10ffff; code++) {
  if (code >= 0xd800 && code <= 0xdfff) continue;
  const char = String.fromCodePoint(code);
  const decomposed = char.normalize('NFD');
  // those of Hangul follow from their numbers
  if (decomposed !== char && !(code >= 0xac00 && code <= 0xd7a3)) {
    // the sign tells that it is not composed again
    parts.set(code, (char.normalize('NFC') === char ? '' : '!') + hexOf(decomposed));
  }
  if (/\p{M}/u.test(char) && `\u0301${char}\u0301`.normalize('NFD') !== `\u0301${char}\u0301`)
    marks.push(char);
  else if (/\p{M}/u.test(char) && `${char}\u0334`.normalize('NFD') !== `${char}\u0334`) marks.push(char);
  if (char === JOINER || char === NON_JOINER) continue;
  const text = mapped(char);
  if (text === null) continue;
  if (text === char) allowed.set(code, traits(char));
  else becomes.set(code, text === '' ? '-' : hexOf(text));
}
// a mark comes before another if they are swapped when they stand the other way round; only this order counts
const orders = new Map<number, string>();
const isBehind = (one: string, other: string) => (one + other).normalize('NFD') !== one + other;
for (const char of marks) {
  const before = marks.filter((other) => isBehind(char, other)).length;
  orders.set(char.codePointAt(0) as number, String(before));
}
const text = [
  ...lines('a', allowed, true),
  ...lines('m', becomes, false),
  ...lines('d', parts, false),
  ...lines('o', orders, true),
].join('\n');
writeFileSync(join(import.meta.dirname, '../sdk/go/unicode.txt'), `${text}\n`);
