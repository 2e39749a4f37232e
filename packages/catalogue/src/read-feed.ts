import { columnsOf, type Delimited, DelimitedReader } from './delimited.ts';
import { fileProblem, problemRow, type Reading } from './draft.ts';
import { attributesOfColumns } from './feed-columns.ts';
import { FeedGroups } from './feed-groups.ts';
import type { FeedItem } from './google-feed.ts';
import { overLimit } from './limits.ts';
import { quoteOpen } from './shopify-csv.ts';
import type { CatalogueRow, ProblemRow } from './types.ts';
import { truncate } from './values.ts';
import { isWooCsvHeader, WooCsvRows } from './woocommerce-csv.ts';
import { XmlItems } from './xml-items.ts';

/** Reads an XML feed: Google Merchant, RSS 2.0 or Atom. */
export async function* readXmlPieces(
  pieces: AsyncIterable<string>,
  reading: Reading,
): AsyncGenerator<CatalogueRow, void, undefined> {
  const xml = new XmlItems();
  const groups = new FeedGroups('google-xml', reading);
  for await (const piece of pieces) {
    for (const item of xml.push(piece)) yield* groups.add(item);
    if (xml.state.root === 'html') return yield htmlProblem();
    if (xml.state.over !== undefined) {
      yield* groups.end();
      throw xml.state.over;
    }
  }
  xml.end();
  yield* groups.end();
  const { root, closed } = xml.state;
  if (root === undefined || root === 'html') return yield htmlProblem();
  if (!closed)
    return yield fileProblem('file_truncated', `<${root}> is not closed; ${groups.items} items came before.`);
  if (!/^(rss|feed|rdf|channel)$/.test(root) && groups.items === 0) {
    const advice = /^(urlset|sitemapindex)$/.test(root)
      ? ' It is a sitemap: import the address of the shop.'
      : '';
    yield fileProblem('shape_unknown', `It is XML with the root <${truncate(root, 40)}>.${advice}`);
  }
}

export function htmlProblem(): ProblemRow {
  return fileProblem('file_is_html', 'Was it saved from a page behind a password or a bot wall?');
}

/** Reads a delimited file by its header: a Google feed (TSV, CSV), or WooCommerce's export. */
export async function* readDelimitedPieces(
  pieces: AsyncIterable<string>,
  reading: Reading,
): AsyncGenerator<CatalogueRow, void, undefined> {
  const reader = new DelimitedReader();
  const groups = new FeedGroups('google-tsv', reading);
  let rowsOf: ((record: Extract<Delimited, { cells: unknown }>) => Iterable<CatalogueRow>) | undefined;
  const take = function* (records: readonly Delimited[]): Generator<CatalogueRow, void, undefined> {
    for (const record of records) {
      if ('over' in record) {
        yield problemRow(record.line, 'row_too_large', overLimit(record.over));
        // without its header no other row can be read
        rowsOf ??= () => [];
      } else if (rowsOf !== undefined) yield* rowsOf(record);
      else {
        const columns = columnsOf(record.cells);
        if (isWooCsvHeader(columns)) {
          const rows = new WooCsvRows(columns, reading);
          rowsOf = ({ line, cells }) => [rows.read(cells, line)];
        } else {
          const names = attributesOfColumns(columns);
          rowsOf = ({ line, cells }) => groups.add(itemOf(names, cells), line);
        }
      }
    }
  };
  for await (const piece of pieces) yield* take(reader.push(piece));
  const { records, openedAt } = reader.end();
  yield* take(records);
  yield* groups.end();
  if (openedAt !== undefined) yield fileProblem('csv_broken', quoteOpen(openedAt));
}

export function itemOf(columns: readonly string[], cells: readonly string[]): FeedItem {
  const values = new Map<string, string[]>();
  for (const [index, name] of columns.entries()) {
    const value = cells[index]?.trim() ?? '';
    if (value === '') continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  const skus = values.get('sku');
  if (skus !== undefined && !columns.includes('id')) values.set('id', skus);
  return values;
}
