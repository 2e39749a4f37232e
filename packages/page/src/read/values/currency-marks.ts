import { CURRENCY_MARKS, ISO_CURRENCIES } from './currency-table.ts';

const LONGEST_MARK = 14;
const LETTER = /[\p{L}\p{M}]/u;
const DIGIT = /\d/;

/** Mark or code that ends right at `end`, the longest one; letters must not run on before it. */
export function markBefore(line: string, end: number): string | undefined {
  if (!mayMark(line.charCodeAt(end - 1))) return undefined;
  for (let length = Math.min(LONGEST_MARK, end); length > 0; length--) {
    const mark = line.slice(end - length, end);
    if (!isMark(mark)) continue;
    const before = line[end - length - 1];
    if (before !== undefined && LETTER.test(mark[0] as string) && LETTER.test(before)) continue;
    return withCode(line, end - length, mark);
  }
  return undefined;
}

/** Mark or code that begins right at `start`, the longest one; letters must not run on after it. */
export function markAfter(line: string, start: number): string | undefined {
  if (!mayMark(line.charCodeAt(start)) && line[start] !== ',' && line[start] !== ':') return undefined;
  for (let length = Math.min(LONGEST_MARK, line.length - start); length > 0; length--) {
    const mark = line.slice(start, start + length);
    if (!isMark(mark)) continue;
    const after = line[start + length];
    if (after !== undefined && LETTER.test(mark.at(-1) as string) && LETTER.test(after)) continue;
    return mark;
  }
  return undefined;
}

/** Whether a character may begin or end a mark; spares most numbers the search. */
function mayMark(code: number): boolean {
  if (code >= 0x80) return true;
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
    ? true
    : code === 0x24 || code === 0x2e || code === 0x27 || code === 0x22 || code === 0x2f || code === 0x2d;
}

function isMark(text: string): boolean {
  return CURRENCY_MARKS.has(text) || ISO_CURRENCIES.has(text);
}

/** `SGD$`, `NZD $`: the code says which dollar. */
function withCode(line: string, at: number, mark: string): string {
  if (mark !== '$') return mark;
  const code = line.slice(0, at).trimEnd().slice(-3);
  return ISO_CURRENCIES.has(code) ? code : mark;
}

/** Marks that need no number beside them to be told from words. */
const SIGN = /\p{Sc}/u;

/**
 * First currency named anywhere in a text, at word boundaries. Single letters that are no currency sign
 * count only when they are all there is.
 */
export function currencyIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const line = text.slice(0, 400).trim();
  if (line === '') return undefined;
  if (isMark(line)) return line;
  for (let i = 0; i < line.length; i++) {
    const before = line[i - 1];
    if (before !== undefined && LETTER.test(before) && LETTER.test(line[i] as string)) continue;
    const mark = markAfter(line, i) ?? lowerCode(line, i);
    if (mark === undefined) continue;
    if (mark.length > 1 || SIGN.test(mark) || nextToDigit(line, i, mark.length)) return mark;
  }
  return undefined;
}

function nextToDigit(line: string, at: number, length: number): boolean {
  return (
    DIGIT.test(line.slice(Math.max(0, at - 2), at)) || DIGIT.test(line.slice(at + length, at + length + 2))
  );
}

const LOWER_CODES: ReadonlySet<string> = new Set(
  'eur usd gbp chf pln czk huf ron bgn sek nok dkk rub uah cad aud nzd mkd inr aed jpy cny'.split(' '),
);

function lowerCode(line: string, at: number): string | undefined {
  const code = line.slice(at, at + 3);
  const after = line[at + 3];
  return LOWER_CODES.has(code) && (after === undefined || !LETTER.test(after)) ? code : undefined;
}

/** Marks that words and model names do not end with: signs, codes, and words of a currency's own. */
export function isPlainMark(mark: string): boolean {
  if (SIGN.test(mark)) return true;
  if (ISO_CURRENCIES.has(mark)) return !WORDLIKE_CODES.has(mark);
  return CURRENCY_MARKS.has(mark) && mark.length >= 2 && !WORDLIKE.has(mark);
}

/** Currency codes and marks that are also words, units or names. */
const WORDLIKE_CODES: ReadonlySet<string> = new Set(
  'ALL TOP CUP MOP SOS TRY MAD BAM ANG PEN LSL GIP'.split(' '),
);
const WORDLIKE: ReadonlySet<string> = new Set(
  'ID LE DA DT MT RF KM BD LD KD JD UM NT QR SR DH Dh FG MK ZK Ar Bs Re Rf Db Ks Nu VT Vt Br Sl Le den. som din lari pound won yen yuan peso dollar franc Esc Fr tl tg tk'.split(
    ' ',
  ),
);
