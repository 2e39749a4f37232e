/**
 * The largest catalogue that is read. What exceeds a limit becomes a problem that names it; the limits of a row cost only
 * that row. Real catalogues stay far below: Shopify allows 2,048 variants and 250 images of a product.
 */
export const CATALOGUE_LIMITS = {
  // of a row, or of one product
  columns: { most: 2_000, unit: 'columns', advice: 'Delete the columns that are not needed.' },
  cell: {
    most: 1_000_000,
    unit: 'characters in one cell',
    advice: 'Is a quotation mark missing, or is there one too many?',
  },
  record: { most: 4_000_000, unit: 'characters in one row', advice: 'Shorten its texts.' },
  rowsOfProduct: {
    most: 5_000,
    unit: 'rows of one product',
    advice: 'Do all these rows belong to it? Otherwise correct their handle or group.',
  },
  characters: { most: 32_000_000, unit: 'characters', advice: 'Write one product per line.' },
  values: { most: 1_000_000, unit: 'values', advice: 'Write one product per line.' },
  members: { most: 1_000, unit: 'members', advice: 'Leave out the members that are not needed.' },
  depth: { most: 200, unit: 'levels of nesting', advice: 'Is a bracket or a closing tag missing?' },
  attributes: { most: 1_000, unit: 'attributes of one element', advice: 'Remove them.' },
  markup: {
    most: 1_000_000,
    unit: 'characters in one tag or comment',
    advice: 'Is a closing ">" or a quotation mark missing?',
  },
  images: { most: 1_000, unit: 'images', advice: 'Leave out those that are not needed.' },
  // of a page of an API, which lists 250 at most: a shop that ignores the limit asked for may list all of its products
  rowsOfPage: {
    most: 20_000,
    unit: 'products on one page',
    advice: 'Import an export of the shop as a file.',
  },
  // of the whole catalogue
  rows: { most: 2_000_000, unit: 'rows', advice: 'Split it into several files.' },
  pages: { most: 10_000, unit: 'pages', advice: 'Import an export of the shop as a file.' },
  text: { most: 2_000_000_000, unit: 'characters', advice: 'Split it into several files.' },
} as const;

export type LimitName = keyof typeof CATALOGUE_LIMITS;

/** Which limit was met, and what to do. */
export function overLimit(name: LimitName): string {
  const { most, unit, advice } = CATALOGUE_LIMITS[name];
  return `It has more than ${most.toLocaleString('en')} ${unit}. ${advice}`;
}

/** Ends the reading of a file: what follows cannot be told apart from what exceeds the limit. */
export class LimitExceeded extends Error {
  readonly limit: LimitName;

  constructor(limit: LimitName) {
    super(overLimit(limit));
    this.name = 'LimitExceeded';
    this.limit = limit;
  }
}
