import { parse } from 'csv-parse/browser/esm/sync';
import { delimiterOf } from './delimited.ts';
import type { Draft } from './draft.ts';
import { shopifyBrand } from './shopify-json.ts';
import { handleUrl } from './store-url.ts';
import type { CatalogueNote } from './types.ts';
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

export interface CsvProduct {
  /** Line of its first row. */
  readonly row: number;
  readonly draft: Draft;
}

export interface CsvReading {
  readonly products: readonly CsvProduct[];
  /** Lines that belong to no product. */
  readonly orphans: readonly number[];
  /** Present if the text could not be read completely. */
  readonly broken?: { readonly code: 'csv_broken' | 'csv_columns_missing'; readonly detail: string };
}

interface Group {
  readonly row: number;
  readonly handle: string;
  readonly first: Partial<Record<Column, string>>;
  readonly skus: string[];
  readonly barcodes: string[];
  readonly images: { readonly url: string; readonly position: number }[];
}

/** Whether a first line has columns for handle and title, with any separator. */
export function isShopifyCsvHeader(firstLine: string): boolean {
  const header = headerOf(firstLine.split(delimiterOf(firstLine)).map((cell) => cell.replaceAll('"', '')));
  return header.handle !== undefined && header.title !== undefined;
}

/**
 * Reads a product export: one line per variant and per further image. All lines of a product have the same handle, but need not
 * be adjacent, as spreadsheets get sorted.
 */
export function readShopifyCsv(text: string, store: URL): CsvReading {
  const groups = new Map<string, Group>();
  const orphans: number[] = [];
  let header: Header | undefined;
  let broken: CsvReading['broken'];
  const take = (cells: readonly string[], row: number): void => {
    if (header === undefined) header = headerOf(cells);
    else if (cells.some((cell) => cell.trim() !== '')) addRow(groups, orphans, header, cells, row);
  };
  try {
    parse(text, {
      bom: true,
      delimiter: delimiterOf(text.slice(0, Math.max(0, text.search(/[\r\n]/)) || text.length)),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines }: { readonly lines: number }) => {
        take(cells, lines);
        return null;
      },
    });
  } catch (error) {
    // the records before the fault are valid
    broken = { code: 'csv_broken', detail: error instanceof Error ? error.message : String(error) };
  }
  if (header === undefined || header.handle === undefined || header.title === undefined) {
    return {
      products: [],
      orphans: [],
      broken: broken ?? { code: 'csv_columns_missing', detail: 'It needs at least Handle and Title.' },
    };
  }
  const products = [...groups.values()].map((group) => ({ row: group.row, draft: draftOf(group, store) }));
  return { products, orphans, ...(broken === undefined ? {} : { broken }) };
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

function addRow(
  groups: Map<string, Group>,
  orphans: number[],
  header: Header,
  cells: readonly string[],
  row: number,
): void {
  const cell = (column: Column): string => cells[header[column] ?? -1]?.trim() ?? '';
  const handle = cell('handle');
  if (handle === '') {
    orphans.push(row);
    return;
  }
  const group = groups.get(handle) ?? { row, handle, first: {}, skus: [], barcodes: [], images: [] };
  groups.set(handle, group);
  for (const column of ['title', 'vendor', 'type', 'published', 'status', 'id'] as const) {
    if (group.first[column] === undefined && cell(column) !== '') group.first[column] = cell(column);
  }
  const image = cell('image');
  if (image !== '')
    group.images.push({ url: image, position: Number(cell('position')) || Number.MAX_SAFE_INTEGER });
  // a line that only adds an image must not count as a variant without SKU
  if (cell('option') === '' && cell('sku') === '' && cell('barcode') === '') return;
  group.skus.push(cell('sku'));
  group.barcodes.push(cell('barcode'));
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
