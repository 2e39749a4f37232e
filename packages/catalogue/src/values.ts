import { Parser } from 'htmlparser2';

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in an array; empty if the value is not an array. */
export function records(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/**
 * A value as one line of plain text.
 *
 * @returns `undefined` if it is empty, neither text nor a number, or contains a lone surrogate
 */
export function line(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string' || !text.isWellFormed()) return undefined;
  const flat = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return flat === '' ? undefined : flat;
}

/** Characters of a value with HTML, many times those of a name: the parser searches its open elements at each tag. */
const MAX_HTML = 10_000;

/** Like `line`, for values with HTML (names of WooCommerce): entities are decoded, tags dropped. */
export function htmlLine(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/[&<]/.test(value)) return line(value);
  let text = '';
  const parser = new Parser(
    {
      ontext: (data) => {
        text += data;
      },
      onopentagname: (name) => {
        if (name === 'br') text += ' ';
      },
    },
    { decodeEntities: true },
  );
  parser.end(value.slice(0, MAX_HTML));
  return line(text);
}

/** An identifier of a platform: a positive integer or text. */
export function identifier(value: unknown): string | undefined {
  // integers beyond 2^53 are not exact
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  return typeof value === 'string' ? line(value) : undefined;
}

/** Shortens a text for one line of output. */
export function truncate(text: string, limit = 120): string {
  return text.length <= limit ? text : `${text.slice(0, limit).toWellFormed()}…`;
}

export function quote(text: string): string {
  return `“${truncate(text)}”`;
}
