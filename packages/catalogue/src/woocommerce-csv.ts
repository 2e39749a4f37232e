import { problemRow, type Reading, rowOfDraft } from './draft.ts';
import type { CatalogueRow } from './types.ts';
import { htmlLine, line } from './values.ts';

/** Columns of WooCommerce's own export, and the one for the page address, which only plugins add. */
const PAGE_COLUMNS = ['permalink', 'product_url', 'url', 'product_permalink'];
const GTIN_COLUMN = 'gtin,_upc,_ean,_or_isbn';

export function isWooCsvHeader(columns: readonly string[]): boolean {
  return ['id', 'type', 'sku', 'name', 'published'].every((name) => columns.includes(name));
}

/** The lines of an export; a variation is on its parent's page. */
export class WooCsvRows {
  readonly #columns: ReadonlyMap<string, number>;
  /** Numbers of the attributes, as in the names of their columns. */
  readonly #attributes: readonly string[];
  readonly #reading: Reading;

  constructor(columns: readonly string[], reading: Reading) {
    // of equal names the first counts
    this.#columns = new Map(columns.map((name, index) => [name, index] as const).toReversed());
    this.#attributes = columns.flatMap((name) => /^attribute_(\d+)_name$/.exec(name)?.[1] ?? []);
    this.#reading = reading;
  }

  read(cells: readonly string[], row: number): CatalogueRow {
    const cell = (name: string): string | undefined => line(cells[this.#columns.get(name) ?? -1] ?? '');
    const id = cell('id');
    const types = cell('type')?.split(',') ?? [];
    if (types.some((type) => type.trim() === 'variation'))
      return problemRow(row, 'variation', `It belongs to product ${cell('parent') ?? '?'}.`, id);
    const url = PAGE_COLUMNS.map(cell).find((address) => address !== undefined);
    if (url === undefined) {
      const advice =
        'WooCommerce exports no addresses of pages: import the address of the shop, or add a column Permalink.';
      return problemRow(row, 'address_missing', advice, id);
    }
    const published = cell('published');
    const visibility = cell('visibility_in_catalog');
    return rowOfDraft(
      {
        externalProductId: id,
        name: htmlLine(cell('name')),
        url,
        skus: [cell('sku')],
        barcodes: [cell(GTIN_COLUMN)],
        ...brandOf(cell('brands')),
        visible: published === undefined ? undefined : published === '1' && visibility !== 'hidden',
        images: (cell('images') ?? '').split(/,(?=\s*https?:)/).flatMap((address) => {
          const text = address.trim();
          return text === '' ? [] : [{ url: text }];
        }),
        attributes: [
          { name: 'category', value: htmlLine(cell('categories')) },
          ...attributesOf(this.#attributes, cell),
        ],
      },
      { row, shape: 'woocommerce-csv' },
      this.#reading,
    );
  }
}

function brandOf(brands: string | undefined) {
  if (brands === undefined) return undefined;
  if (brands.includes(',')) return { notes: [{ code: 'brand_ambiguous', detail: brands }] as const };
  return { brand: brands };
}

/** Attributes to choose from (such as size and colour) have several values, separated by commas; a single value is a fact. */
function attributesOf(numbers: readonly string[], cell: (name: string) => string | undefined) {
  return numbers
    .filter((number) => cell(`attribute_${number}_visible`) !== '0')
    .map((number) => ({
      name: cell(`attribute_${number}_name`),
      value: cell(`attribute_${number}_value(s)`),
    }))
    .filter(({ value }) => value !== undefined && !value.includes(','));
}
