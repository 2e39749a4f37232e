import { columnsOf, DelimitedReader } from '../delimited.ts';
import { looksLikeJson, looksLikeXml } from '../detect.ts';
import { fileProblem, problemRow } from '../draft.ts';
import { attributesOfColumns, columnAdvice, isFeedHeader } from '../feed-columns.ts';
import { type JsonElement, JsonSplitter } from '../json-splitter.ts';
import { CATALOGUE_LIMITS, LimitExceeded, overLimit } from '../limits.ts';
import { after, readStart, unreadable } from '../read.ts';
import { htmlProblem, itemOf } from '../read-feed.ts';
import { endProblem, Unreadable, valuesOf } from '../read-json.ts';
import { quoteOpen } from '../shopify-csv.ts';
import { type CatalogueSource, textPieces } from '../source.ts';
import type { ProblemRow } from '../types.ts';
import { truncate } from '../values.ts';
import { XmlItems } from '../xml-items.ts';
import { readFeedItem, readItem } from './read-item.ts';
import type { ReadItem, ReadItemOptions } from './types.ts';

/** One item of a feed, or why it is none; no row is left out. */
export type ItemRow =
  /** `row`: number of the item in the feed, from 1 (of the line in a table). */
  { readonly row: number; readonly item: ReadItem } | ProblemRow;

/**
 * Reads the items of a feed, each as it is: unlike `readCatalogue`, variants are not grouped into products. Lists and lines of JSON with
 * items of any form that `readItem` knows; Google feeds (RSS 2.0, Atom, TSV, CSV); all optionally compressed with gzip. The feed is
 * read as a stream. A problem with it as a whole is the last row, with the number 0.
 *
 * @param source - the whole text or its bytes, or either in pieces
 * @example
 * ```ts
 * import { readItems } from '@touchstone/catalogue';
 *
 * const feed = '{"id":"a","title":"Cup","link":"https://shop.example/cup"}\n{"id":"b","title":"Mug"}';
 * const names: unknown[] = [];
 * for await (const row of readItems(feed)) names.push('item' in row ? row.item.name : row.problem.code);
 * names; // ['Cup', 'Mug']
 * ```
 */
export async function* readItems(
  source: CatalogueSource,
  options: ReadItemOptions = {},
): AsyncGenerator<ItemRow, void, undefined> {
  let items = 0;
  let rows = 0;
  try {
    for await (const row of rowsOf(textPieces(source), options)) {
      rows++;
      if (rows > CATALOGUE_LIMITS.rows.most) throw new LimitExceeded('rows');
      if ('item' in row) items++;
      yield row;
    }
  } catch (error) {
    yield unreadable(error, items);
    return;
  }
  if (rows === 0) yield fileProblem('no_products');
}

async function* rowsOf(
  pieces: AsyncIterable<string>,
  options: ReadItemOptions,
): AsyncGenerator<ItemRow, void, undefined> {
  const { start, begun, iterator } = await readStart(pieces);
  const all = after(start, iterator);
  if (begun === '') yield fileProblem('file_empty');
  else if (looksLikeJson(begun)) yield* jsonRows(all, options);
  else if (looksLikeXml(begun)) yield* xmlRows(all);
  else if (begun.startsWith('<')) yield htmlProblem();
  else yield* tableRows(all);
}

async function* jsonRows(
  pieces: AsyncIterable<string>,
  options: ReadItemOptions,
): AsyncGenerator<ItemRow, void, undefined> {
  const splitter = new JsonSplitter();
  let row = 0;
  const rowsIn = function* (element: JsonElement): Generator<ItemRow, void, undefined> {
    for (const value of valuesOf(element)) {
      row++;
      if (value instanceof Unreadable) yield problemRow(row, value.code, value.detail);
      else yield rowOf(row, readItem(value, options));
    }
  };
  for await (const piece of pieces) for (const element of splitter.push(piece)) yield* rowsIn(element);
  const { last, end } = splitter.end();
  if (last !== undefined) yield* rowsIn(last);
  if (end.kind !== 'complete') yield endProblem(end, row);
}

async function* xmlRows(pieces: AsyncIterable<string>): AsyncGenerator<ItemRow, void, undefined> {
  const xml = new XmlItems();
  let row = 0;
  for await (const piece of pieces) {
    for (const item of xml.push(piece)) yield rowOf(++row, readFeedItem(item));
    if (xml.state.root === 'html') return yield htmlProblem();
    if (xml.state.over !== undefined) throw xml.state.over;
  }
  xml.end();
  const { root, closed } = xml.state;
  if (root === undefined || root === 'html') yield htmlProblem();
  else if (!closed)
    yield fileProblem('file_truncated', `<${truncate(root, 40)}> is not closed; ${row} items came before.`);
  else if (row === 0)
    yield fileProblem('shape_unknown', `It is XML with the root <${truncate(root, 40)}> and no items.`);
}

/** Characters of the advice on columns: a header may have thousands. */
const MAX_ADVICE = 1_000;

async function* tableRows(pieces: AsyncIterable<string>): AsyncGenerator<ItemRow, void, undefined> {
  const reader = new DelimitedReader();
  let names: readonly string[] | undefined;
  const rowsIn = function* (
    records: ReturnType<DelimitedReader['push']>,
  ): Generator<ItemRow, boolean, undefined> {
    for (const record of records) {
      if ('over' in record) {
        yield problemRow(record.line, 'row_too_large', overLimit(record.over));
        if (names === undefined) return false;
      } else if (names !== undefined) yield rowOf(record.line, readFeedItem(itemOf(names, record.cells)));
      else {
        const columns = columnsOf(record.cells);
        if (!isFeedHeader(columns)) {
          yield fileProblem('csv_columns_missing', truncate(columnAdvice(columns), MAX_ADVICE));
          return false;
        }
        names = attributesOfColumns(columns);
      }
    }
    return true;
  };
  for await (const piece of pieces) if (!(yield* rowsIn(reader.push(piece)))) return;
  const { records, openedAt } = reader.end();
  if (!(yield* rowsIn(records))) return;
  if (openedAt !== undefined) yield fileProblem('csv_broken', quoteOpen(openedAt));
}

function rowOf(row: number, item: ReadItem | null): ItemRow {
  return item === null ? problemRow(row, 'row_not_product') : { row, item };
}
