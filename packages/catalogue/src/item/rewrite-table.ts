import { columnsOf, DelimitedReader } from '../delimited.ts';
import { fileProblem, problemRow } from '../draft.ts';
import { attributesOfColumns, columnAdvice, isFeedHeader } from '../feed-columns.ts';
import { CATALOGUE_LIMITS, overLimit } from '../limits.ts';
import { itemOf } from '../read-feed.ts';
import { quoteOpen } from '../shopify-csv.ts';
import { spliced, type TextRange } from '../text-range.ts';
import { truncate } from '../values.ts';
import { certificateOf, isCertificateName } from './carried.ts';
import { FeedTape } from './feed-tape.ts';
import { readFeedItem } from './read-item.ts';
import type { FeedPart, FeedPartOfItem } from './types.ts';

const COLUMN = 'touchstone_certificate';
/** Characters of the advice on columns: a header may have thousands. */
const MAX_ADVICE = 1_000;

type Records = ReturnType<DelimitedReader['push']>;

/** The rows of a delimited feed with their texts. A column for certificates is added unless there is one, and its cell to each item. */
export async function* rewriteTable(
  pieces: AsyncIterable<string>,
): AsyncGenerator<FeedPart, void, undefined> {
  const reader = new DelimitedReader();
  const tape = new FeedTape();
  let columns: readonly string[] | undefined;
  let names: readonly string[] = [];
  const partsIn = function* (records: Records): Generator<FeedPart, boolean, undefined> {
    for (const record of records) {
      if ('over' in record) {
        yield { ...problemRow(record.line, 'row_too_large', overLimit(record.over)), text: '' };
        if (columns === undefined) return false;
        continue;
      }
      const { line, cells, from, to } = record;
      // line ends, and rows that were skipped
      const before = tape.take(from);
      if (before !== '') yield { text: before };
      const isWhole = tape.from === from;
      const text = tape.take(to);
      if (!isWhole) {
        yield { ...problemRow(line, 'row_too_large', overLimit('record')), text };
        if (columns === undefined) return false;
        continue;
      }
      if (columns !== undefined) {
        const item = readFeedItem(itemOf(names, cells));
        if (item === null) yield { ...problemRow(line, 'row_not_product'), text };
        else yield { row: line, item, text, write: writerOf(text, cells, columns, reader.delimiter) };
        continue;
      }
      const header = columnsOf(cells);
      if (!isFeedHeader(header)) {
        const advice = truncate(columnAdvice(header), MAX_ADVICE);
        yield { ...fileProblem('csv_columns_missing', advice), text };
        return false;
      }
      const isKnown = header.some(isCertificateName);
      columns = isKnown ? header : [...header, COLUMN];
      names = attributesOfColumns(header);
      yield { text: isKnown ? text : withCell(text, `${reader.delimiter}${COLUMN}`) };
    }
    return true;
  };
  for await (const piece of pieces) {
    tape.push(piece);
    if (!(yield* partsIn(reader.push(piece)))) return;
    // of a row that is skipped; quotation marks in others count twice
    if (tape.to - tape.from > 3 * CATALOGUE_LIMITS.record.most) yield { text: tape.take() };
  }
  const { records, openedAt } = reader.end();
  if (!(yield* partsIn(records))) return;
  const text = tape.take();
  if (openedAt !== undefined) yield { ...fileProblem('csv_broken', quoteOpen(openedAt)), text };
  else if (text !== '') yield { text };
}

function writerOf(
  text: string,
  cells: readonly string[],
  columns: readonly string[],
  delimiter: string,
): FeedPartOfItem['write'] {
  return (certificate, isReplaced) => {
    const at = columns.findIndex(isCertificateName);
    const cell = certificate === undefined ? '' : `"${certificate.json.replaceAll('"', '""')}"`;
    const missing = at - cells.length;
    if (missing >= 0) return withCell(text, delimiter.repeat(missing + 1) + cell);
    const old = cells[at]?.trim() ?? '';
    // more cells than columns, or something else in ours
    if (cells.length > columns.length) return certificate === undefined ? text : null;
    if (old !== '' && !isReplaced(certificateOf(old))) return certificate === undefined ? text : null;
    const range = cellRanges(text, delimiter)[at];
    return range === undefined ? null : spliced(text, range, cell);
  };
}

/** A cell at the end of a row, before the carriage return of its line end. */
function withCell(text: string, cell: string): string {
  return text.endsWith('\r') ? `${text.slice(0, -1)}${cell}\r` : text + cell;
}

/** Where the cells of a row stand, by the rules of `DelimitedReader`. */
function cellRanges(text: string, delimiter: string): TextRange[] {
  const ranges: TextRange[] = [];
  const end = text.endsWith('\r') ? text.length - 1 : text.length;
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < end; at++) {
    const char = text[at];
    if (char === '"' && (isQuoted || at === from)) isQuoted = !isQuoted;
    else if (char === delimiter && !isQuoted) {
      ranges.push({ from, to: at });
      from = at + 1;
    }
  }
  return [...ranges, { from, to: end }];
}
