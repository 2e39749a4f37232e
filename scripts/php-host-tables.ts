import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Writes sdk/php/src/host-tables.php: how hosts are mapped and judged by UTS 46, asked of `URL` of this Node. PHP has neither a parser
// of the WHATWG URL standard nor, without ext-intl, Unicode's tables. Run it after an update of Node: `node scripts/php-host-tables.ts`.

const ALEF = '\u05d0';
/** Runs of valid characters, mapped ones and others; ASCII needs no table. */
const kinds: string[] = [];
const starts: number[] = [];
const joining: [number, string][] = [];
const mapped: string[] = [];
const composed: string[] = [];

for (let point = 0x80, before = '', shape = ''; point <= 0x10ffff; point++) {
  const character = String.fromCodePoint(point);
  const kind = point >= 0xd800 && point <= 0xdfff ? 'x' : kindOf(character);
  if (kind !== before) {
    kinds.push(kind);
    starts.push(point);
    before = kind;
  }
  if (kind === 'y') mapped.push(`${point}=>${quoted(mappedTo(character) ?? '')}`);
  // what stands in no label may have the shape of the one before
  const next = kind === 'x' || kind === 'y' ? shape : shapeOf(character);
  if (next !== shape) {
    joining.push([point, next]);
    shape = next;
  }
  const parts = [...character.normalize('NFD')];
  // the last step of the composition; Hangul is computed
  const first = parts.slice(0, -1).join('').normalize('NFC');
  const isHangul = point >= 0xac00 && point <= 0xd7a3;
  if (parts.length > 1 && !isHangul && character.normalize('NFC') === character)
    composed.push(`${quoted(first + parts.at(-1))}=>${quoted(character)}`);
}

/** `x`: refused. `y`: mapped. Else its bidirectional class: L, R (or AL), N (AN), E (EN), M (NSM), O (others); a mark in small. */
function kindOf(character: string): string {
  // their rules are about their neighbours
  if (character === '\u200c' || character === '\u200d') return 'O';
  const isRightToLeft = hostOf(`1${character}g`) === null;
  const to = mappedTo(character);
  if (to === null) return 'x';
  if (to !== character) return 'y';
  const letter = isRightToLeft ? (hostOf(`${character}${ALEF}`) === null ? 'N' : 'R') : classOf(character);
  return /\p{M}/u.test(character) ? letter.toLowerCase() : letter;
}

function classOf(character: string): string {
  if (hostOf(`${ALEF}${character}${ALEF}`) === null) return 'L';
  if (hostOf(ALEF + character) === null) return 'O';
  return hostOf(`${ALEF}\u0661${character}`) === null ? 'E' : 'M';
}

/** What a character becomes, between others that change nothing; `null` if it is refused. */
function mappedTo(character: string): string | null {
  for (const [first, last] of [
    ['1', 'g'],
    [ALEF, ALEF],
  ] as const) {
    const host = hostOf(first + character + last);
    if (host !== null) return host.slice(first.length, host.length - last.length);
  }
  return null;
}

/** Its joining type where ZWNJ depends on it: D, L, R or T; it was valid before. */
function shapeOf(character: string): string {
  // a letter that joins on both sides follows, or precedes
  const isFollowed = ['\u0628', '\u182d'].some((beh) => hostOf(`${character}\u200c${beh}`) !== null);
  const isPreceded = ['\u0628', '\u182d'].some((beh) => hostOf(`${beh}\u200c${character}${beh}`) !== null);
  const isBetween = ['\u0628', '\u182d'].some((beh) => hostOf(`${beh}${character}\u200c${beh}`) !== null);
  const isVirama = hostOf(`1${character}\u200dg`) !== null;
  if (isVirama) return hostOf(`\u0628\u200c${character}\u0628`) !== null ? 'v' : 'V';
  if (isFollowed)
    return hostOf(`\u0628\u200c${character}`) !== null || hostOf(`\u182d\u200c${character}`) !== null
      ? 'D'
      : 'L';
  if (hostOf(`\u0628\u200c${character}`) !== null || hostOf(`\u182d\u200c${character}`) !== null) return 'R';
  return isPreceded && isBetween ? 'T' : '';
}

/** The host in letters; `null` if it is refused. */
function hostOf(text: string): string | null {
  const host = URL.parse(`http://${text}/`)?.hostname ?? null;
  return host === null ? null : host.split('.').map(fromPunycode).join('.');
}

/** RFC 3492, 6.2. */
function fromPunycode(label: string): string {
  if (!label.startsWith('xn--')) return label;
  const end = label.lastIndexOf('-');
  const out = end > 3 ? Array.from(label.slice(4, end)) : [];
  let [n, i, bias] = [128, 0, 72];
  for (let at = end + 1; at < label.length; ) {
    const old = i;
    for (let w = 1, k = 36; ; k += 36) {
      const code = label.charCodeAt(at++);
      const digit = code < 58 ? code - 22 : code - 97;
      i += digit * w;
      const t = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
      if (digit < t) break;
      w *= 36 - t;
    }
    let delta = old === 0 ? Math.floor(i / 700) : (i - old) >> 1;
    delta += Math.floor(delta / (out.length + 1));
    let k = 0;
    for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
    bias = k + Math.floor((36 * delta) / (delta + 38));
    n += Math.floor(i / (out.length + 1));
    i %= out.length + 1;
    out.splice(i++, 0, String.fromCodePoint(n));
  }
  return out.join('');
}

/** Canonical combining classes, by the order into which pairs are brought; only the order is used. */
function combining(): string[] {
  const marks: string[] = [];
  for (let point = 0x300; point <= 0x1ffff; point++) {
    const character = String.fromCodePoint(point);
    if (/\p{M}/u.test(character) && character.normalize('NFD') === character) marks.push(character);
  }
  const moves = (a: string, b: string) => (a + b).normalize('NFD') !== a + b;
  // U+0345 has the highest class, U+0334 the lowest
  const ordered = marks.filter((mark) => moves('\u0345', mark) || moves(mark, '\u0334'));
  const classes: string[][] = [];
  for (const mark of ordered) {
    const at = classes.findIndex(([other = '']) => !moves(mark, other));
    const known = classes[at];
    if (known === undefined) classes.push([mark]);
    else if (moves(known[0] as string, mark)) classes.splice(at, 0, [mark]);
    else known.push(mark);
  }
  return classes.flatMap((members, at) => members.map((mark) => `${quoted(mark)}=>${at + 1}`));
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

function wrapped(parts: readonly string[]): string {
  const lines = [''];
  for (const part of parts) {
    const last = lines.at(-1) as string;
    if (last.length + part.length > 140) lines.push(`${part},`);
    else lines[lines.length - 1] = `${last}${part},`;
  }
  return lines.join('\n');
}

const text = `<?php

// Written by scripts/php-host-tables.ts from the answers of URL, Unicode ${process.versions.unicode}. Do not edit.

declare(strict_types=1);

return [
'starts' => [${wrapped(starts.map(String))}],
'kinds' => '${kinds.join('')}',
'shapeStarts' => [${wrapped(joining.map(([point]) => String(point)))}],
'shapes' => '${joining.map(([, shape]) => shape || '.').join('')}',
'mapped' => [${wrapped(mapped)}],
'combining' => [${wrapped(combining())}],
'composed' => [${wrapped(composed)}],
];
`;
writeFileSync(join(import.meta.dirname, '../sdk/php/src/host-tables.php'), text);
