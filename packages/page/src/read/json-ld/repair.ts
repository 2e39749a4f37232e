import { decodeHTML } from 'entities/decode';

export interface ParsedBlock {
  readonly value: unknown;
  readonly repaired: boolean;
}

/**
 * Parses the text of one JSON-LD script, repairing common errors: comment and CDATA wrappers, HTML-escaped text, raw
 * control characters in strings, unescaped quotes, trailing commas, script comments, a closing semicolon, several objects
 * in a row. Never throws.
 *
 * @returns `undefined` for empty text, or if the repaired text is not valid JSON either
 * @example
 * ```ts
 * import { parseJsonLd } from '@touchstone/page/json-ld/repair';
 *
 * parseJsonLd('{"@type": "Product",}'); // { value: { '@type': 'Product' }, repaired: true }
 * ```
 */
export function parseJsonLd(text: string): ParsedBlock | undefined {
  const bare = text.trim();
  const direct = tryParse(bare);
  if (direct !== undefined) return { value: direct.value, repaired: false };
  const unwrapped = unwrap(bare);
  const candidates = unwrapped === bare ? [bare] : [unwrapped, bare];
  if (/&(?:quot|#34|#x22|amp);/i.test(unwrapped)) candidates.push(decodeHTML(unwrapped));
  for (const candidate of candidates) {
    const parsed = tryParse(candidate) ?? parseRepaired(repair(candidate));
    if (parsed !== undefined) return { value: parsed.value, repaired: true };
  }
  return undefined;
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Reads several objects in one block as an array; in repaired text, no string contains a raw line break. */
function parseRepaired(text: string): { value: unknown } | undefined {
  return (
    tryParse(text) ??
    (text.startsWith('{') ? tryParse(`[${text.replace(/\}(\s*)\{/g, separated)}]`) : undefined)
  );
}

/** Puts a comma between two objects on separate lines. A line break in the pattern would make it take quadratic time. */
function separated(whole: string, between: string): string {
  return between.includes('\n') ? '},{' : whole;
}

function unwrap(text: string): string {
  const opened = text
    .replace(/^(?:\s|\uFEFF|\/\/(?=\s*<!)|\/\*(?=\s*<!)|<!--|<!\[CDATA\[|(?<=\[)\s*\*\/)+/, '')
    .replace(/^\s*\*\//, '');
  return withoutClosings(opened);
}

/** Remains of comments and other text that may follow the JSON. */
const CLOSINGS = ['//', '/*', '-->', ']]>', '*/', ';'];

/** Removes closings one at a time from the end: a regular expression would take quadratic time on hostile input. */
function withoutClosings(text: string): string {
  let rest = text.trim();
  for (;;) {
    const closing = CLOSINGS.find((one) => rest.endsWith(one));
    if (closing === undefined) return rest;
    rest = rest.slice(0, -closing.length).trimEnd();
  }
}

/** Repairs the text in one pass that distinguishes strings from structure; valid runs are copied whole. */
function repair(text: string): string {
  const out: string[] = [];
  let from = 0;
  let i = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (isPlain(code)) {
      i++;
      continue;
    }
    if (i > from) out.push(text.slice(from, i));
    const after = skipComment(text, i);
    if (code === QUOTE) i = repairString(text, i, out);
    else if (after > i) i = after;
    else if (code === COMMA) i = repairComma(text, i, out);
    else {
      if (code >= 0x20) out.push(code === NO_BREAK_SPACE ? ' ' : (text[i] as string));
      i++;
    }
    from = i;
  }
  out.push(text.slice(from));
  return out.join('');
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const SLASH = 0x2f;
const LESS_THAN = 0x3c;
const NO_BREAK_SPACE = 0xa0;

/** Whether a character between JSON values needs no repair: no quote, comma, invalid control character or start of a comment. */
function isPlain(code: number): boolean {
  if (code < 0x20) return code === 0x0a || code === 0x09 || code === 0x0d;
  return code !== QUOTE && code !== COMMA && code !== SLASH && code !== LESS_THAN && code !== NO_BREAK_SPACE;
}

const COMMENTS: readonly (readonly [string, string])[] = [
  ['/*', '*/'],
  ['//', '\n'],
  ['<!--', '-->'],
];

/** The end of the comment that begins at `at`, or `at` if none does. */
function skipComment(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code !== SLASH && code !== LESS_THAN) return at;
  for (const [open, close] of COMMENTS) {
    if (!text.startsWith(open, at)) continue;
    const end = text.indexOf(close, at + open.length);
    return end < 0 ? text.length : end + close.length;
  }
  return at;
}

/** Drops a comma that is followed by a closing bracket or another comma. */
function repairComma(text: string, at: number, out: string[]): number {
  let next = at + 1;
  for (;;) {
    while (next < text.length && /[\s,]/.test(text[next] as string)) next++;
    const after = skipComment(text, next);
    if (after === next) break;
    next = after;
  }
  const follows = text[next];
  const last = out.at(-1)?.at(-1);
  if (follows !== '}' && follows !== ']' && follows !== undefined && last !== '{' && last !== '[')
    out.push(',');
  return next;
}

const ESCAPABLE = '"\\/bfnrtu';

/** Whether a quote ends its string, judged by the text after it; otherwise it is an unescaped quote within the string. */
function closesString(text: string, quote: number): boolean {
  const next = afterSpace(text, quote + 1);
  const follows = text[next];
  if (follows === undefined || '}]:"'.includes(follows)) return true;
  if (follows !== ',') return skipsComment(text, next);
  const value = text[afterSpace(text, next + 1)];
  return value === undefined || /["{[\]},\d/<tfn-]/.test(value);
}

function skipsComment(text: string, at: number): boolean {
  return COMMENTS.some(([open]) => text.startsWith(open, at));
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 0x20 || text.charCodeAt(at) === NO_BREAK_SPACE) at++;
  return at;
}

function repairString(text: string, at: number, out: string[]): number {
  out.push('"');
  let from = at + 1;
  let i = from;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      if (closesString(text, i)) break;
      // an unescaped inch mark or quotation mark
      out.push(text.slice(from, i), '\\"');
      from = i + 1;
    } else if (code === 0x5c) {
      const next = text[i + 1] ?? '';
      const good =
        ESCAPABLE.includes(next) && (next !== 'u' || /^[0-9a-f]{4}/i.test(text.slice(i + 2, i + 6)));
      if (!good) {
        // `\'` and other escapes that are invalid in JSON: the backslash is removed
        out.push(text.slice(from, i));
        from = i + 1;
      }
      i++;
    } else if (code < 0x20) {
      out.push(text.slice(from, i), `\\u${code.toString(16).padStart(4, '0')}`);
      from = i + 1;
    }
  }
  out.push(text.slice(from, i), '"');
  return i + 1;
}
