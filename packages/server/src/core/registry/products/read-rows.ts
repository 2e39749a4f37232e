import { type ProductRow, ProductRowSchema, type RowError } from '@touchstone/contract';
import { checkValue } from '@touchstone/contract/validation';
import { eventLoopTurns } from '../../../platform/event-loop-turns.ts';
import { hasMoreValues } from '../../../platform/http/validation/json-values.ts';

/** Bytes of one line; a row with 250 long image addresses has fewer. */
const MAX_LINE = 1_000_000;
/** Separators of a line that is longer than this; a row with 250 images and 50 attributes has a third. */
const MAX_SEPARATORS = 10_000;
const LONG_LINE = 65_536;
/** Values of a row, with its images and attributes: that row has half. Each further one would be a fault, with its message. */
const MAX_VALUES = 2_000;
/** Faults of a row that are reported. */
const MAX_FAULTS = 100;
const NEWLINE = 10;

/** The result of checking a row by itself. */
export type CheckedRow =
  | { readonly ok: true; readonly row: ProductRow }
  | { readonly ok: false; readonly externalProductId?: string; readonly errors: readonly RowError[] };

/** Checks one row, and reports all its faults in the form of a validation error. */
export function checkRow(value: unknown): CheckedRow {
  if (isLarge(value))
    return badRow(value, [{ loc: [], msg: `A row may have at most ${MAX_VALUES} values`, type: 'too_long' }]);
  const checked = checkValue(ProductRowSchema, value);
  if (checked.ok) return { ok: true, row: withDistinctImages(checked.value) };
  return badRow(
    value,
    checked.faults.slice(0, MAX_FAULTS).map(({ loc, msg, type }) => ({ loc: [...loc], msg, type })),
  );
}

function isLarge(value: unknown): boolean {
  const rest: object[] = typeof value === 'object' && value !== null ? [value] : [];
  let count = 0;
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    // nothing parsed from JSON inherits what is enumerated
    for (const name in next) {
      count += 1;
      if (count > MAX_VALUES) return true;
      const inside: unknown = next[name as keyof typeof next];
      if (typeof inside === 'object' && inside !== null) rest.push(inside);
    }
  }
  return false;
}

/** A row in error, with its external id if it states one. */
function badRow(value: unknown, errors: readonly RowError[]): CheckedRow {
  const id =
    typeof value === 'object' && value !== null && 'externalProductId' in value
      ? value.externalProductId
      : undefined;
  return typeof id === 'string'
    ? { ok: false, externalProductId: id.slice(0, 200).toWellFormed(), errors }
    : { ok: false, errors };
}

/** Without repeated addresses, as `contentUrl` must be unique: feeds may repeat an image. */
function withDistinctImages(row: ProductRow): ProductRow {
  if (row.images === undefined) return row;
  const known = new Set<string>();
  return { ...row, images: row.images.filter(({ url }) => !known.has(url) && known.add(url)) };
}

/**
 * Rows of an NDJSON body, one JSON value per line; blank lines are skipped. A line that cannot be parsed is a
 * row in error, and does not affect the others.
 */
export async function* readNdjson(body: AsyncIterable<Uint8Array>): AsyncGenerator<CheckedRow> {
  for await (const line of linesOf(body)) {
    if (line === 'too_long') {
      yield fault(`A line may have at most ${MAX_LINE} bytes`, 'too_long');
      continue;
    }
    if (line.byteLength > LONG_LINE && hasMoreValues(line, MAX_SEPARATORS)) {
      yield fault(`A row may have at most ${MAX_VALUES} values`, 'too_long');
      continue;
    }
    const row = rowOf(line);
    if (row !== undefined) yield row;
  }
}

const fault = (msg: string, type: string) => badRow(undefined, [{ loc: [], msg, type }]);

function rowOf(line: Uint8Array): CheckedRow | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(line);
  } catch {
    return fault('The line is not UTF-8', 'json_invalid');
  }
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault('JSON decode error', 'json_invalid');
  }
  return checkRow(value);
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | 'too_long'> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const turn = eventLoopTurns();
  const take = (): Uint8Array | 'too_long' => {
    const line = size > MAX_LINE ? 'too_long' : Buffer.concat(parts);
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      parts.push(chunk.subarray(start, end));
      size += end - start;
      start = end + 1;
      if (size > 0) yield take();
      else parts = [];
    }
    await turn();
    size += chunk.length - start;
    // of a line that is too long, only the length is counted
    if (size > MAX_LINE) parts = [];
    else if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (size > 0) yield take();
}
