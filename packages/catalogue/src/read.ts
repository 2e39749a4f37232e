import { columnsOf, delimiterOf } from './delimited.ts';
import { firstLineOf, looksLikeJson, looksLikeXml, shapeOfHeader } from './detect.ts';
import { fileProblem, problemRow, type Reading } from './draft.ts';
import { columnAdvice } from './feed-columns.ts';
import { CATALOGUE_LIMITS, LimitExceeded } from './limits.ts';
import { readDelimitedPieces, readXmlPieces } from './read-feed.ts';
import { readJsonPieces } from './read-json.ts';
import { readShopifyCsv } from './shopify-csv.ts';
import { BrokenGzipError, type CatalogueSource, NotUtf8Error, textPieces } from './source.ts';
import { parseStoreUrl } from './store-url.ts';
import type { CatalogueRow, ProblemRow, ReadCatalogueOptions } from './types.ts';
import { truncate } from './values.ts';

/**
 * Reads a shop's catalogue: Shopify `/products.json` and CSV export, WooCommerce Store API, REST v3 and CSV export, Google
 * Merchant feeds (RSS 2.0, Atom, TSV, CSV), and rows of the registry; lists, captured pages with or without metadata, and one
 * product per line; all optionally compressed with gzip.
 *
 * Every product becomes a row for the registry, or a reason why it cannot be one. A problem with the file as a whole is the last
 * row, with the number 0, after all that could be read. The source is read as a stream, with a few products in memory; only
 * of Shopify's CSV the values that are used are kept to its end. What exceeds a limit (`CATALOGUE_LIMITS`) is a problem that
 * names it.
 *
 * @param source the whole text or its bytes, or either in pieces, such as a file stream
 * @throws TypeError if `storeUrl` is not an absolute http or https address
 * @example
 * ```ts
 * import { readCatalogue } from '@touchstone/catalogue';
 *
 * const text = '{"products":[{"id":1,"title":"Lamp","handle":"lamp"}]}';
 * const urls: string[] = [];
 * for await (const row of readCatalogue(text, { storeUrl: 'https://shop.example' })) {
 *   if ('product' in row) urls.push(row.product.url);
 * }
 * urls; // ['https://shop.example/products/lamp']
 * ```
 */
export function readCatalogue(
  source: CatalogueSource,
  options: ReadCatalogueOptions,
): AsyncIterable<CatalogueRow> {
  const store = parseStoreUrl(options.storeUrl);
  if (store === null) throw new TypeError('storeUrl must be an absolute http or https address');
  const reading: Reading = {
    store,
    rebase: options.rebase ?? true,
    ...(options.shape === undefined ? {} : { shape: options.shape }),
  };
  return rowsOf(source, reading);
}

async function* rowsOf(
  source: CatalogueSource,
  reading: Reading,
): AsyncGenerator<CatalogueRow, void, undefined> {
  const rowOfId = new Map<string, number>();
  let products = 0;
  let problems = 0;
  let rows = 0;
  try {
    for await (const row of read(textPieces(source), reading)) {
      rows++;
      if (rows > CATALOGUE_LIMITS.rows.most) throw new LimitExceeded('rows');
      const checked = 'problem' in row ? row : unlessRepeated(row, rowOfId);
      if ('problem' in checked) problems++;
      else products++;
      yield checked;
    }
  } catch (error) {
    yield unreadable(error, products);
    return;
  }
  if (products + problems === 0) yield fileProblem('no_products');
}

/** Why a file cannot be read further. @throws any other error */
export function unreadable(error: unknown, products: number): ProblemRow {
  const before = `${products} products came before`;
  if (error instanceof BrokenGzipError)
    return fileProblem('file_truncated', `It cannot be unpacked further; ${before}.`);
  if (error instanceof LimitExceeded) return fileProblem('file_too_large', `${error.message} ${before}.`);
  if (!(error instanceof NotUtf8Error)) throw error;
  return fileProblem('file_not_utf8', `Save it as UTF-8 and try again; ${before} the fault.`);
}

/** Characters of white space at the beginning of a file. */
const MAX_LEADING_SPACE = 1_000_000;

async function* read(
  pieces: AsyncIterable<string>,
  reading: Reading,
): AsyncGenerator<CatalogueRow, void, undefined> {
  const { start, begun, iterator } = await readStart(pieces);
  if (begun === '') return yield fileProblem('file_empty');
  const all = after(start, iterator);
  if (looksLikeJson(begun)) return yield* readJsonPieces(all, reading);
  if (looksLikeXml(begun)) return yield* readXmlPieces(all, reading);
  if (begun.startsWith('<'))
    return yield fileProblem('file_is_html', 'Was it saved from a page behind a password or a bot wall?');
  const line = await readFirstLine(start, iterator);
  const shape = reading.shape ?? shapeOfHeader(firstLineOf(line.start.trimStart()));
  if (shape === 'shopify-csv') yield* readShopifyCsv(line.all, reading);
  else if (shape === 'woocommerce-csv' || shape === 'google-tsv')
    yield* readDelimitedPieces(line.all, reading);
  else yield unknownHeader(firstLineOf(line.start.trimStart()));
}

/** Reads up to the first character that is no white space. `begun`: from there on; empty for an empty file. */
export async function readStart(pieces: AsyncIterable<string>) {
  const iterator = pieces[Symbol.asyncIterator]();
  let start = '';
  let done = false;
  while (start.trim() === '' && !done && start.length < MAX_LEADING_SPACE) {
    const next = await iterator.next();
    if (next.done === true) done = true;
    else start += next.value;
  }
  return { start, begun: start.trimStart(), iterator };
}

/** Characters of the advice on columns: a header may have thousands. */
const MAX_ADVICE = 1_000;

/** A first line of several cells is the header of a table, whose columns can be named. */
function unknownHeader(firstLine: string): CatalogueRow {
  const cells = firstLine.split(delimiterOf(firstLine));
  if (cells.length < 2) return fileProblem('shape_unknown', `It begins with “${truncate(firstLine, 80)}”.`);
  return fileProblem('csv_columns_missing', truncate(columnAdvice(columnsOf(cells)), MAX_ADVICE));
}

/** Reads until the first line is complete, which may take several pieces. */
async function readFirstLine(begun: string, rest: AsyncIterator<string>) {
  let start = begun;
  while (!/[\r\n]/.test(start.trimStart()) && start.length < 65_536) {
    const next = await rest.next();
    if (next.done === true) break;
    start += next.value;
  }
  return { start, all: after(start, rest) };
}

export async function* after(
  start: string,
  rest: AsyncIterator<string>,
): AsyncGenerator<string, void, undefined> {
  yield start;
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return;
    yield next.value;
  }
}

/** Captured pages may overlap; the registry would reject the second row, too. */
function unlessRepeated(
  row: Exclude<CatalogueRow, { problem: unknown }>,
  rowOfId: Map<string, number>,
): CatalogueRow {
  const { externalProductId } = row.product;
  const before = rowOfId.get(externalProductId);
  if (before === undefined) {
    rowOfId.set(externalProductId, row.row);
    return row;
  }
  return problemRow(row.row, 'repeated', `It is at ${before}.`, externalProductId);
}
