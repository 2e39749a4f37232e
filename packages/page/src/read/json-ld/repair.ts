import { decodeHTML } from 'entities/decode';

export interface ParsedBlock {
  readonly value: unknown;
  readonly repaired: boolean;
}

/**
 * Parses the text of one JSON-LD script, repairing what shops commonly break: comment and CDATA wrappers,
 * HTML-escaped text, raw control characters in strings, trailing commas, script comments, a closing
 * semicolon, several objects in a row. Returns undefined where that is not enough, or where there is nothing. Never throws.
 *
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

/** Several objects in one block are read as a list; in repaired text no string holds a raw line break. */
function parseRepaired(text: string): { value: unknown } | undefined {
  return (
    tryParse(text) ??
    (text.startsWith('{') ? tryParse(`[${text.replace(/\}(\s*)\{/g, separated)}]`) : undefined)
  );
}

/** A comma between two objects on lines of their own. The line break is no part of the pattern, or runs cost their square. */
function separated(whole: string, between: string): string {
  return between.includes('\n') ? '},{' : whole;
}

function unwrap(text: string): string {
  const opened = text
    .replace(/^(?:\s|\uFEFF|\/\/(?=\s*<!)|\/\*(?=\s*<!)|<!--|<!\[CDATA\[|(?<=\[)\s*\*\/)+/, '')
    .replace(/^\s*\*\//, '');
  return withoutClosings(opened);
}

/** What may close a block after its JSON. */
const CLOSINGS = ['//', '/*', '-->', ']]>', '*/', ';'];

/** One closing at a time from the end: a pattern would begin anew at each of them that JSON comes after. */
function withoutClosings(text: string): string {
  let rest = text.trim();
  for (;;) {
    const closing = CLOSINGS.find((one) => rest.endsWith(one));
    if (closing === undefined) return rest;
    rest = rest.slice(0, -closing.length).trimEnd();
  }
}

/** One pass over the text that knows strings from structure, and copies what is sound in runs. */
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

/** Neither string nor comma nor, perhaps, comment, and sound between the parts of JSON. */
function isPlain(code: number): boolean {
  if (code < 0x20) return code === 0x0a || code === 0x09 || code === 0x0d;
  return code !== QUOTE && code !== COMMA && code !== SLASH && code !== LESS_THAN && code !== NO_BREAK_SPACE;
}

const COMMENTS: readonly (readonly [string, string])[] = [
  ['/*', '*/'],
  ['//', '\n'],
  ['<!--', '-->'],
];

/** Where the comment that begins at `at` ends; `at` itself where none begins. */
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

/** A comma followed by a closing bracket or another comma is dropped. */
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

/** Whether what follows a quote can follow a string; otherwise it stands inside of one. */
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
      // an inch mark or a quotation that nobody escaped
      out.push(text.slice(from, i), '\\"');
      from = i + 1;
    } else if (code === 0x5c) {
      const next = text[i + 1] ?? '';
      const good =
        ESCAPABLE.includes(next) && (next !== 'u' || /^[0-9a-f]{4}/i.test(text.slice(i + 2, i + 6)));
      if (!good) {
        // `\'` and other escapes that JSON does not have: the backslash goes
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
