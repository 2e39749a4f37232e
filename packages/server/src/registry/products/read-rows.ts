import { type ProductRow, ProductRowSchema, type RowError } from '@touchstone/contract';
import { checkValue } from '@touchstone/contract/validation';

/** Bytes of one line; a row of 250 long image addresses stays under it. */
const MAX_LINE = 1_000_000;
const NEWLINE = 10;

/** One row as far as it can be judged by itself. */
export type CheckedRow =
  | { readonly ok: true; readonly row: ProductRow }
  | { readonly ok: false; readonly externalProductId?: string; readonly errors: readonly RowError[] };

/** Checks one row; all its faults at once, in the words of the validation body. */
export function checkRow(value: unknown): CheckedRow {
  const checked = checkValue(ProductRowSchema, value);
  if (checked.ok) return { ok: true, row: withDistinctImages(checked.value) };
  return badRow(
    value,
    checked.faults.map(({ loc, msg, type }) => ({ loc: [...loc], msg, type })),
  );
}

/** A row in error, named as far as it names itself. */
function badRow(value: unknown, errors: readonly RowError[]): CheckedRow {
  const id =
    typeof value === 'object' && value !== null && 'externalProductId' in value
      ? value.externalProductId
      : undefined;
  return typeof id === 'string'
    ? { ok: false, externalProductId: id.slice(0, 200).toWellFormed(), errors }
    : { ok: false, errors };
}

/** Feeds repeat an image; the first of equal addresses counts, since contentUrl is unique. */
function withDistinctImages(row: ProductRow): ProductRow {
  if (row.images === undefined) return row;
  const known = new Set<string>();
  return { ...row, images: row.images.filter(({ url }) => !known.has(url) && known.add(url)) };
}

/**
 * Rows of an NDJSON body, one JSON value a line; blank lines are passed over. A line that cannot be read is a
 * bad row, and costs the next one nothing.
 */
export async function* readNdjson(body: AsyncIterable<Uint8Array>): AsyncGenerator<CheckedRow> {
  for await (const line of linesOf(body)) {
    if (line === 'too_long') {
      yield fault(`A line may have at most ${MAX_LINE} bytes`, 'too_long');
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
      yield take();
      start = end + 1;
    }
    size += chunk.length - start;
    // of a line that is too long only its length is kept
    if (size > MAX_LINE) parts = [];
    else if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (size > 0) yield take();
}
