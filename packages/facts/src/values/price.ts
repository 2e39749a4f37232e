import { CURRENCY_MARKS, currencyIn, markAfter, markBefore } from './currency.ts';

export interface ParsedPrice {
  /** Decimal string with a point as separator, without grouping; `0` for "free". */
  readonly amount: string;
  /** The currency's mark as printed next to the amount. */
  readonly mark?: string;
}

/** An amount found in a line. */
interface Match {
  readonly amount: string;
  readonly mark: string | undefined;
  /** Start, including a mark before the amount, and end. */
  readonly from: number;
  readonly to: number;
  readonly marked: 'before' | 'after' | undefined;
}

const SPACE = '[ \\t\\u00A0\\u202F\\u2009\\u2007\\u2006]';
// digits grouped by space, then by point, comma or apostrophe, with up to one fraction
const NUMBER = new RegExp(
  `\\.{0,2}(?:\\d{1,3}(?:${SPACE}\\d{3})+(?!\\d)|\\d+)(?:[.,'’\`]\\d+)*(?:[.,]${SPACE}\\d{2}(?!\\d))?`,
  'g',
);
const FREE = /^\s*(?:free|gratis|gratuit|kostenlos|бесплатно|zdarma|za darmo|grátis)(?![\p{L}])!?/iu;
const LONGEST_LINE = 400;

/**
 * Parses a price as printed in any locale: `1.299,00 €`, `₹ 4,649`, `CHF 1'049.95`, `12 590 Kč`.
 *
 * Of several amounts with a currency, the one named as the current price is taken, else the first; without any, the first
 * plain amount that is neither a percentage nor part of a date.
 *
 * @param hint - text near the price that may name its currency
 */
export function parsePrice(text: string, hint?: string): ParsedPrice | undefined {
  const line = asciiDigits(text.length > LONGEST_LINE ? text.slice(0, LONGEST_LINE) : text);
  const matches = amountsIn(line);
  const marked = matches.filter((match) => match.marked !== undefined);
  const best =
    marked.find((match) => Number(match.amount) > 0 && NOW.test(line.slice(0, match.from))) ??
    marked[0] ??
    matches[0];
  if (best === undefined) return FREE.test(line) ? { amount: '0' } : undefined;
  const { amount } = rangeStart(line, matches, best);
  const mark = best.mark ?? currencyIn(hint) ?? currencyIn(line);
  return mark === undefined ? { amount } : { amount, mark };
}

/** Words right before an amount that name it as the current price: `Was $120.00 Now $60.00`. */
const NOW = /(?:^|[\s(,;])(?:now|jetzt|maintenant|ahora|adesso|agora|teraz|nyní|сейчас)\s*:?\s*$/iu;

/** All amounts in a line that may be prices, in order. */
export function amountsIn(line: string): Match[] {
  const matches: Match[] = [];
  let busyUntil = 0;
  for (const found of line.matchAll(NUMBER)) {
    if (found.index < busyUntil) continue;
    const match = readMatch(line, found[0], found.index);
    if (match === undefined) continue;
    matches.push(match);
    busyUntil = match.to;
  }
  return matches;
}

function readMatch(line: string, number: string, at: number): Match | undefined {
  const before = /[\s\u00A0:]{0,3}[-–−+]?$/.exec(line.slice(Math.max(0, at - 4), at))?.[0] ?? '';
  const pre = markBefore(line, at - before.length);
  let end = at + number.length;
  // `50,-` and `1.198,--`
  const dash =
    /^[.,]?[-–—]{1,2}(?!\d)/.exec(line.slice(end, end + 4))?.[0] ??
    /^[.,](?!\d)/.exec(line.slice(end, end + 2))?.[0];
  end += dash?.length ?? 0;
  const gap = /^[\s\u00A0]{0,2}/.exec(line.slice(end, end + 3))?.[0].length ?? 0;
  const post = pre !== undefined && pre !== '$' ? undefined : markAfter(line, end + gap);
  // `$1,190.00 AUD`: the code identifies the dollar
  const mark = pre !== undefined && post !== undefined && post.length === 3 ? post : (pre ?? post);
  let digits = number;
  if (pre === undefined && post !== undefined) {
    end += gap + post.length;
    const cents = centsAfterMark(line, end, post);
    if (cents !== undefined) {
      digits += `.${cents.trim()}`;
      end += cents.length;
    }
  } else if (pre === undefined && !plausible(line, at, number, end)) return undefined;
  if (/^\s*%/.test(line.slice(end, end + 3))) return undefined;
  const amount = inThousandths(digits, mark) ?? normaliseNumber(digits);
  if (amount === undefined) return undefined;
  const marked = pre !== undefined ? 'before' : post !== undefined ? 'after' : undefined;
  return { amount, mark, from: pre === undefined ? at : at - before.length - pre.length, to: end, marked };
}

/** Currencies with three decimals (ISO 4217): `12.500 KD` is twelve and a half. */
const THOUSAND_PARTS: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);

function inThousandths(digits: string, mark: string | undefined): string | undefined {
  const parts = /^(\d{1,3})[.,](\d{3})$/.exec(digits);
  if (parts === null || mark === undefined) return undefined;
  const iso = CURRENCY_MARKS.get(mark)?.[0] ?? mark;
  return THOUSAND_PARTS.has(iso) ? `${parts[1]}.${parts[2]}` : undefined;
}

/** Cents after the mark: `1250€ 60` is 1250.60. Three digits count only if they follow directly. */
function centsAfterMark(line: string, at: number, mark: string): string | undefined {
  if (!/^\p{Sc}$/u.test(mark)) return undefined;
  const cents = /^(?:[ \u00A0]\d{2}|\d{2,3})(?![\d.,€$£])/.exec(line.slice(at, at + 6))?.[0];
  if (cents === undefined) return undefined;
  return markAfter(line, at + cents.length + 1) === undefined &&
    markAfter(line, at + cents.length) === undefined
    ? cents
    : undefined;
}

const UNIT = /^\s*(?:ft|cm|mm|kg|ml|gb|mb|oz|lbs?|inch|km|years?|pcs|szt|шт)(?![\p{L}])/iu;

/** Whether a number without a currency may be a price: not part of a word, date, dimension or ratio. */
function plausible(line: string, at: number, number: string, end: number): boolean {
  const after = line.slice(end, end + 12);
  const before = line.slice(Math.max(0, at - 12), at);
  if (/[\p{L}\d]$/u.test(before)) return false;
  if (/^[\p{L}]{2,}/u.test(after) || /^[-/]\d/.test(after) || /\d[-/]$/.test(before)) return false;
  if (UNIT.test(after)) return false;
  if (/\p{L}{3,},?\s*$/u.test(before) && /^(?:19|20)\d\d$/.test(number)) return false;
  return !/^\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d$/.test(number);
}

/** The low end of a range whose currency follows the high end: `26 to 50 €`. */
function rangeStart(line: string, matches: readonly Match[], best: Match): Match {
  const before = matches[matches.indexOf(best) - 1];
  if (before === undefined || best.marked === 'before') return best;
  return /^\s*(?:to|bis|до|à|a|–|—|-|do|til)\s*$/iu.test(line.slice(before.to, best.from)) ? before : best;
}

/** Normalises digits with any grouping to a decimal string; three digits after a single separator are a group. */
function normaliseNumber(text: string): string | undefined {
  let digits = text.replace(/[\s\u00A0\u202F\u2009\u2007\u2006'’`]/g, '');
  digits = digits.replace(/^\.+(?=\.)/, '');
  if (/^\.\d{3}\.\d/.test(digits)) digits = digits.slice(1);
  if (!/^[.,]?\d[\d.,]*$/.test(digits)) return undefined;
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last < 0) return trimNumber(digits, '');
  const whole = digits.slice(0, last);
  const fraction = digits.slice(last + 1);
  return isGrouping(whole, digits[last] as string, fraction)
    ? trimNumber(digits.replace(/[.,]/g, ''), '')
    : trimNumber(whole.replace(/[.,]/g, ''), fraction);
}

/** Whether the last separator groups thousands, so that there is no fraction. */
function isGrouping(whole: string, separator: string, fraction: string): boolean {
  if (fraction.length !== 3) return false;
  if (whole.includes(separator)) return true;
  // with both separators the last one is the decimal point
  if (/[.,]/.test(whole)) return false;
  return !/^0*$/.test(whole) && whole.length <= 3;
}

function trimNumber(whole: string, fraction: string): string | undefined {
  if (whole.length > 15 || fraction.length > 8) return undefined;
  const integer = whole.replace(/^0+(?=\d)/, '') || '0';
  return fraction === '' ? integer : `${integer}.${fraction}`;
}

const EASTERN = /[\u0660-\u0669\u06F0-\u06F9\u066B\u066C\uFF10-\uFF19]/;

/** Converts Arabic-Indic, Persian and full-width digits and separators to ASCII. */
export function asciiDigits(text: string): string {
  if (!EASTERN.test(text)) return text;
  return text.replace(new RegExp(EASTERN, 'g'), (c) => {
    const code = c.charCodeAt(0);
    if (code === 0x066b) return '.';
    if (code === 0x066c) return ',';
    const zero = code >= 0xff10 ? 0xff10 : code >= 0x06f0 ? 0x06f0 : 0x0660;
    return String(code - zero);
  });
}

/** Parses a price from structured data: a decimal with a point (schema.org), else as printed. `undefined` if negative. */
export function statedPrice(text: string): string | undefined {
  const trimmed = text.trim();
  if (isNegative(trimmed)) return undefined;
  return /^\d{1,12}\.\d{1,6}$/.test(trimmed) ? trimmed.replace(/^0+(?=\d)/, '') : priceText(trimmed);
}

function priceText(text: string): string | undefined {
  return /^[\d.,\s]+$/.test(text) ? normaliseNumber(text) : parsePrice(text)?.amount;
}

/** Whether a price begins with a minus sign, before or after its currency. */
export function isNegative(text: string): boolean {
  return /^\s*(?:[-−–]\s?(?:\p{Sc}|[A-Z]{3})?\s?[.,]?\d|(?:\p{Sc}\s?|[A-Z]{3}\s)[-−–][.,]?\d)/u.test(text);
}

/** The range as written, with both ends (`10 – 20 €`) or only the low one (`from 10 €`); `undefined` for a single price. */
export function rangeIn(text: string): string | undefined {
  const line = text.slice(0, LONGEST_RANGE).trim();
  if (RANGE.test(asciiDigits(line)) || FROM.test(line)) return line;
  return undefined;
}

const LONGEST_RANGE = 60;
const RANGE =
  /^[^\d]{0,12}\d[\d.,\s'’]*[^\d–—-]{0,6}\s*(?:[-–—]|\b(?:to|bis|à|do|til)\b|до)\s*[^\d]{0,6}\d[\d.,\s'’]*[^\d]{0,8}$/iu;
const FROM =
  /^(?:from|starting (?:at|from)|starts at|as low as|ab|à partir de|a partir de|desde|a partire da|da|vanaf|od|från|fra|alkaen|от|від|începând de la|de la)(?![\p{L}])[^\d]{0,8}\d/iu;
