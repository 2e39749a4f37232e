import { columnsOf, recordsOf } from './delimited.ts';
import { fileProblem, type Reading } from './draft.ts';
import { FeedGroups } from './feed-groups.ts';
import type { FeedItem } from './google-feed.ts';
import type { CatalogueRow } from './types.ts';
import { truncate } from './values.ts';
import { isWooCsvHeader, wooCsvRow } from './woocommerce-csv.ts';
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

function htmlProblem(): CatalogueRow {
  return fileProblem('file_is_html', 'Was it saved from a page behind a password or a bot wall?');
}

/** Reads a delimited file by its header: a Google feed (TSV, CSV), or WooCommerce's export. */
export async function* readDelimitedPieces(
  pieces: AsyncIterable<string>,
  reading: Reading,
): AsyncGenerator<CatalogueRow, void, undefined> {
  let columns: readonly string[] | undefined;
  const groups = new FeedGroups('google-tsv', reading);
  try {
    for await (const { line, cells } of recordsOf(pieces)) {
      if (columns === undefined) columns = columnsOf(cells);
      else if (isWooCsvHeader(columns)) yield wooCsvRow(columns, cells, line, reading);
      else yield* groups.add(itemOf(columns, cells), line);
    }
  } catch (error) {
    yield* groups.end();
    return yield fileProblem('csv_broken', error instanceof Error ? error.message : String(error));
  }
  yield* groups.end();
}

function itemOf(columns: readonly string[], cells: readonly string[]): FeedItem {
  const values = new Map<string, string[]>();
  for (const [index, name] of columns.entries()) {
    const value = cells[index]?.trim() ?? '';
    if (value !== '') values.set(name.replace(/^g:/, ''), [...(values.get(name) ?? []), value]);
  }
  return values;
}
