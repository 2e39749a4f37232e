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

/** Columns of which the first value in the lines of a product counts. */
const FIRST = ['title', 'vendor', 'type', 'published', 'status', 'id'] as const;
/** Of these, the ones whose values most products share. */
const SHARED: ReadonlySet<Column> = new Set(['vendor', 'type', 'published', 'status']);

interface CsvImage {
  readonly url: string;
  readonly position: number;
}

/** The values of one product. There may be a million, so each is small: a list that grows has room for 17 elements at once. */
class Group {
  readonly row: number;
  readonly handle: string;
  rows = 0;
  title: string | undefined = undefined;
  vendor: string | undefined = undefined;
  type: string | undefined = undefined;
  published: string | undefined = undefined;
  status: string | undefined = undefined;
  id: string | undefined = undefined;
  /** Of the variants, two different ones at most: that suffices to tell that they differ. */
  sku: string | undefined = undefined;
  otherSku: string | undefined = undefined;
  barcode: string | undefined = undefined;
  otherBarcode: string | undefined = undefined;
  images: CsvImage[] | undefined = undefined;

  constructor(row: number, handle: string) {
    this.row = row;
    this.handle = handle;
  }
}

/** Position of an image without one: behind all others. */
const LAST = 2_000_000_000;
/** Different values of one column that are kept once. */
const MAX_SHARED = 10_000;

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
  const shared = new Map<string, string>();
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
        const isOrphan = !addRow(groups, shared, header, record.cells, record.line);
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
      ? problemRow(group.row, 'row_too_large', overLimit('rowsOfProduct'), line(group.id) ?? handle)
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
function addRow(
  groups: Map<string, Group>,
  shared: Map<string, string>,
  header: Header,
  cells: readonly string[],
  row: number,
): boolean {
  const cell = (column: Column): string => cells[header[column] ?? -1]?.trim() ?? '';
  const handle = cell('handle');
  if (handle === '') return false;
  let group = groups.get(handle);
  if (group === undefined) {
    group = new Group(row, handle);
    groups.set(handle, group);
  }
  group.rows += 1;
  if (group.rows > CATALOGUE_LIMITS.rowsOfProduct.most) return true;
  for (const column of FIRST) {
    if (group[column] !== undefined) continue;
    const value = cell(column);
    if (value !== '') group[column] = SHARED.has(column) ? keptOnce(shared, value) : value;
  }
  const url = cell('image');
  if (url !== '') {
    const image = { url, position: Math.min(Number(cell('position')) || LAST, LAST) };
    if (group.images === undefined) group.images = [image];
    else group.images.push(image);
  }
  // a line that only adds an image must not count as a variant without SKU
  if (cell('option') === '' && cell('sku') === '' && cell('barcode') === '') return true;
  const [sku, barcode] = [line(cell('sku')) ?? '', line(cell('barcode')) ?? ''];
  group.sku ??= sku;
  if (sku !== group.sku) group.otherSku = sku;
  group.barcode ??= barcode;
  if (barcode !== group.barcode) group.otherBarcode = barcode;
  return true;
}

function keptOnce(shared: Map<string, string>, value: string): string {
  const known = shared.get(value);
  if (known === undefined && shared.size < MAX_SHARED) shared.set(value, value);
  return known ?? value;
}

function draftOf(group: Group, store: URL): Draft {
  const { handle, id, images = [] } = group;
  const brand = shopifyBrand(group.vendor);
  const notes: CatalogueNote[] = [...(brand.notes ?? [])];
  if (id === undefined) notes.push({ code: 'handle_is_id', detail: '' });
  return {
    externalProductId: line(id) ?? handle,
    name: line(group.title),
    url: handleUrl(store, handle),
    skus: [group.sku, group.otherSku ?? group.sku],
    barcodes: [group.barcode, group.otherBarcode ?? group.barcode],
    ...(brand.brand === undefined ? {} : { brand: brand.brand }),
    visible: visibility(group),
    images: images.toSorted((a, b) => a.position - b.position),
    attributes: [{ name: 'productType', value: line(group.type) }],
    notes,
  };
}

function visibility({ status, published }: Group): boolean | undefined {
  if (status !== undefined && status.toLowerCase() !== 'active') return false;
  if (published !== undefined) return /^(true|yes|1)$/i.test(published);
  return status === undefined ? undefined : true;
}
