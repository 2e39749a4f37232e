import { Parser } from 'htmlparser2';

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The records in a list; an absent or wrong list is an empty one. */
export function records(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/**
 * One line of plain text out of a wire value.
 *
 * @returns `undefined` for what is empty, no text or number, or carries half a character (a lone surrogate).
 */
export function line(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string' || !text.isWellFormed()) return undefined;
  const flat = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return flat === '' ? undefined : flat;
}

/** As `line`, for fields that carry HTML: entities are decoded, tags dropped (WooCommerce names). */
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
  parser.end(value);
  return line(text);
}

/** Identifier of the platform: a positive whole number or a text. */
export function identifier(value: unknown): string | undefined {
  // beyond 2^53 the number read is no longer the number written
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  return typeof value === 'string' ? line(value) : undefined;
}

/** Short enough for one line of output. */
export function truncate(text: string, limit = 120): string {
  return text.length <= limit ? text : `${text.slice(0, limit).toWellFormed()}…`;
}

export function quote(text: string): string {
  return `“${truncate(text)}”`;
}
