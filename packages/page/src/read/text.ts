/** Removes NUL, which PostgreSQL rejects, and lone surrogates, which cannot be encoded in UTF-8. */
function stripUnstorable(text: string): string {
  const noNul = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return noNul.isWellFormed() ? noNul : noNul.replace(LONE_SURROGATE, '');
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

// control, zero-width and direction characters, except joiners, which are part of words
const INVISIBLE = /[[\p{Cc}\p{Cf}]--[\u200C\u200D]]/gv;

/** Normalises text to one line with single spaces, without invisible characters, of at most `max` characters. */
export function cleanText(text: string, max: number): string {
  const head = text.length > max * 4 ? text.slice(0, max * 4) : text;
  const line = stripUnstorable(head).replace(/\s+/g, ' ').replace(INVISIBLE, '').trim();
  return line.length > max ? stripUnstorable(line.slice(0, max)).trimEnd() : line;
}
