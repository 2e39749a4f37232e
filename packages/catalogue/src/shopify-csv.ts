import { DelimitedReader, delimiterOf } from './delimited.ts';
import { type Draft, fileProblem, problemRow, type Reading, rowOfDraft } from './draft.ts';
import { CATALOGUE_LIMITS, overLimit } from './limits.ts';
import { shopifyBrand } from './shopify-json.ts';
import { handleUrl } from './store-url.ts';
import type { CatalogueNote, CatalogueRow } from './types.ts';
import { line } from './values.ts';

/** Column names in lower case: of the export until 2024 and since, and the id that some apps add. */
const COLUMNS = {
  handle: ['handle', 'url handle'],
  title: ['title'],
  vendor: ['vendor'],
  type: ['type', 'product type'],
  published: ['published', 'published on online store'],
  status: ['status'],
  sku: ['variant sku', 'sku'],
  barcode: ['variant barcode', 'barcode'],
  image: ['image src', 'product image url'],
  position: ['image position'],
  id: ['id', 'product id'],
  option: ['option1 value'],
} as const;

type Column = keyof typeof COLUMNS;
type Header = Readonly<Partial<Record<Column, number>>>;

interface Group {
  readonly row: number;
  readonly handle: string;
  readonly first: Partial<Record<Column, string>>;
  readonly skus: string[];
  readonly barcodes: string[];
  readonly images: { readonly url: string; readonly position: number }[];
  rows: number;
}

/** Whether a first line has columns for handle and title, with any separator. */
export function isShopifyCsvHeader(firstLine: string): boolean {
  const header = headerOf(firstLine.split(delimiterOf(firstLine)).map((cell) => cell.replaceAll('"', '')));
  return header.handle !== undefined && header.title !== undefined;
}

/**
 * Reads Shopify's export: one line per variant and per further image. All lines of a product have the same handle, but need not
 * be adjacent, as spreadsheets get sorted; so the values that are used are kept in memory until the end.
 */
export async function* readShopifyCsv(
  pieces: AsyncIterable<string>,
  reading: Reading,
): AsyncGenerator<CatalogueRow, void, undefined> {
  const reader = new DelimitedReader();
  const groups = new Map<string, Group>();
  const problems: CatalogueRow[] = [];
  let header: Header | undefined;
  const take = (records: ReturnType<DelimitedReader['push']>): void => {
    for (const record of records) {
      if ('over' in record) {
        problems.push(problemRow(record.line, 'row_too_large', overLimit(record.over)));
        // without its header no other row can be read
        header ??= {};
      } else if (header === undefined) header = headerOf(record.cells);
      else if (record.cells.some((cell) => cell.trim() !== '')) {
        const isOrphan = !addRow(groups, header, record.cells, record.line);
        if (isOrphan) problems.push(problemRow(record.line, 'id_missing', 'The line names no handle.'));
      }
    }
  };
  for await (const piece of pieces) take(reader.push(piece));
  const { records, openedAt } = reader.end();
  take(records);
  if (header?.handle === undefined || header.title === undefined) {
    const tooLarge = problems.find((row) => 'problem' in row && row.problem.code === 'row_too_large');
    yield tooLarge ?? fileProblem('csv_columns_missing', 'It needs at least Handle and Title.');
    return;
  }
  for (const [handle, group] of groups) {
    groups.delete(handle);
    yield group.rows > CATALOGUE_LIMITS.rowsOfProduct.most
      ? problemRow(group.row, 'row_too_large', overLimit('rowsOfProduct'), line(group.first.id) ?? handle)
      : rowOfDraft(draftOf(group, reading.store), { row: group.row, shape: 'shopify-csv' }, reading);
  }
  yield* problems;
  if (openedAt !== undefined) yield fileProblem('csv_broken', quoteOpen(openedAt));
}

/** Why the records behind this line cannot be read. */
export function quoteOpen(openedAt: number): string {
  return `A quotation mark on line ${openedAt} is not closed.`;
}

function headerOf(cells: readonly string[]): Header {
  const header: Partial<Record<Column, number>> = {};
  const names = cells.map((cell) =>
    cell
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase(),
  );
  for (const [column, spellings] of Object.entries(COLUMNS) as [Column, readonly string[]][]) {
    const index = names.findIndex((name) => spellings.includes(name));
    if (index >= 0) header[column] = index;
  }
  return header;
}

/** @returns false if the row names no product */
function addRow(groups: Map<string, Group>, header: Header, cells: readonly string[], row: number): boolean {
  const cell = (column: Column): string => cells[header[column] ?? -1]?.trim() ?? '';
  const handle = cell('handle');
  if (handle === '') return false;
  const group = groups.get(handle) ?? { row, handle, first: {}, skus: [], barcodes: [], images: [], rows: 0 };
  groups.set(handle, group);
  group.rows += 1;
  if (group.rows > CATALOGUE_LIMITS.rowsOfProduct.most) return true;
  for (const column of ['title', 'vendor', 'type', 'published', 'status', 'id'] as const) {
    if (group.first[column] === undefined && cell(column) !== '') group.first[column] = cell(column);
  }
  const image = cell('image');
  if (image !== '')
    group.images.push({ url: image, position: Number(cell('position')) || Number.MAX_SAFE_INTEGER });
  // a line that only adds an image must not count as a variant without SKU
  if (cell('option') === '' && cell('sku') === '' && cell('barcode') === '') return true;
  group.skus.push(cell('sku'));
  group.barcodes.push(cell('barcode'));
  return true;
}

function draftOf(group: Group, store: URL): Draft {
  const { handle, first } = group;
  const brand = shopifyBrand(first.vendor);
  const notes: CatalogueNote[] = [...(brand.notes ?? [])];
  if (first.id === undefined) notes.push({ code: 'handle_is_id', detail: '' });
  return {
    externalProductId: line(first.id) ?? handle,
    name: line(first.title),
    url: handleUrl(store, handle),
    skus: group.skus,
    barcodes: group.barcodes,
    ...(brand.brand === undefined ? {} : { brand: brand.brand }),
    visible: visibility(first),
    images: group.images.toSorted((a, b) => a.position - b.position),
    attributes: [{ name: 'productType', value: line(first.type) }],
    notes,
  };
}

function visibility(first: Group['first']): boolean | undefined {
  if (first.status !== undefined && first.status.toLowerCase() !== 'active') return false;
  if (first.published !== undefined) return /^(true|yes|1)$/i.test(first.published);
  return first.status === undefined ? undefined : true;
}
