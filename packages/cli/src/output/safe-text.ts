/** Control characters, line separators, and the marks that reorder text on screen. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * One line of text that came from a page, a file or the network, fit for a terminal: what could move the cursor,
 * colour or reorder other lines is written out.
 */
export function safe(text: string): string {
  return text.toWellFormed().replace(UNSAFE, writtenOut);
}

/** JSON for people and programs alike: the same, where JSON itself does not escape. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(UNSAFE, (char) => (char === '\n' ? char : writtenOut(char)));
}

/** The same on one line, for a row of NDJSON. */
export function safeJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, writtenOut);
}

function writtenOut(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
