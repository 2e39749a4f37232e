import type { Difference } from './markup.ts';

interface Reason {
  /** Pattern of the corpus files, by the number of schema.org's example or by name. */
  readonly files: RegExp;
  readonly attributes: readonly Difference['attribute'][];
  readonly reason: string;
}

/** Why the reader's result for some examples differs from their markup; each entry must still be needed. */
export const REASONS: readonly Reason[] = [
  {
    files: /eg-0208\b/,
    attributes: ['name', 'price', 'currency'],
    reason: 'an ItemList: no product of a listing is the page’s',
  },
  {
    files: /eg-029[0-3]\b/,
    attributes: ['name', 'price'],
    reason: 'products that a guide reviews: none of several is the page’s',
  },
  { files: /eg-0375\b/, attributes: ['sku'], reason: 'productID stands where sku is not stated' },
  {
    files: /eg-0395\b/,
    attributes: ['name', 'price', 'availability'],
    reason: 'its @id is another page’s address, and a price of 0 is an unset one',
  },
  {
    files: /no_(?:low_)?price\.json$/,
    attributes: ['currency'],
    reason: 'a currency without a price says nothing',
  },
  {
    files: /Review\/rdfa-valid1/,
    attributes: ['name'],
    reason: 'the plain search takes the first name, which is the reviewer’s',
  },
  {
    files: /opengraph_ns_product/,
    attributes: ['sku'],
    reason: 'meta elements state what the markup leaves out',
  },
  {
    files: /sdo_eg_md_(?:9|10)\./,
    attributes: ['price', 'currency'],
    reason: 'a price with its sign is read as amount and currency',
  },
];

export function reasonOf({ file, attribute }: Difference): Reason | undefined {
  return REASONS.find(({ files, attributes }) => files.test(file) && attributes.includes(attribute));
}
