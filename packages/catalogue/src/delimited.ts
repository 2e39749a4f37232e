import { parse } from 'csv-parse/browser/esm/sync';

/** Characters after which a line end counts even within quotes: a single stray quote must not swallow the rest of the file. */
const MAX_BLOCK = 16 * 1024 * 1024;

export interface Record {
  /** Number of the line on which it ends, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Parses a delimited text while it is read, keeping only some records in memory. Quoted cells may contain line ends (RFC 4180);
 * quotes within other cells are text.
 *
 * @throws Error of the parser, after all records before the fault
 */
export async function* recordsOf(pieces: AsyncIterable<string>): AsyncGenerator<Record, void, undefined> {
  let delimiter: string | undefined;
  let line = 0;
  for await (const block of blocksOf(pieces)) {
    delimiter ??= delimiterOf(block.split(/\r\n|\r|\n/, 1)[0] ?? '');
    const records: Record[] = [];
    parse(block, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines }: { readonly lines: number }) => {
        records.push({ line: line + lines, cells });
        return null;
      },
    });
    yield* records;
    line += block.split('\n').length - 1;
  }
}

/** Splits the text at line ends outside of quoted cells. */
async function* blocksOf(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let kept = '';
  for await (const piece of pieces) {
    kept += piece;
    const end = endOfRecords(kept);
    if (end === 0) continue;
    yield kept.slice(0, end);
    kept = kept.slice(end);
  }
  if (kept !== '') yield kept;
}

function endOfRecords(text: string): number {
  let end = 0;
  let isQuoted = false;
  let before = 0x0a;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    // a quote ends a quoted cell, unless a second one follows: together they are an escaped quote
    if (char === 0x22) isQuoted = !isQuoted && OPENING.has(before);
    else if (char === 0x0a && (!isQuoted || at - end > MAX_BLOCK)) {
      end = at + 1;
      isQuoted = false;
    }
    before = char;
  }
  return end;
}

/** Characters before an opening quote: a line end, a separator, or a quote. */
const OPENING: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x22, 0x2c, 0x3b, 0x09]);

/** The most frequent separator of the first line: spreadsheets use that of their locale. */
export function delimiterOf(firstLine: string): string {
  const count = (separator: string): number => firstLine.split(separator).length;
  return [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best));
}

/** Normalised names of columns: `"Image Link"` becomes `image_link`. */
export function columnsOf(cells: readonly string[]): string[] {
  return cells.map((cell) =>
    cell
      .replace(/^\uFEFF/, '')
      .replaceAll('"', '')
      .trim()
      .toLowerCase()
      .replace(/\s+/g, '_'),
  );
}
