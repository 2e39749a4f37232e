/** The shapes a shop's catalogue is met in. */
export const CATALOGUE_SHAPES = [
  'shopify-json',
  'shopify-csv',
  'woocommerce-store-api',
  'woocommerce-rest-v3',
] as const;

export type CatalogueShape = (typeof CATALOGUE_SHAPES)[number];

/** One row of `PUT /api/v1/registry/stores/{id}/products`: what the registry is told of a product. */
export interface CatalogueProduct {
  /** The platform's own identifier; the handle where an export carries no identifier. */
  readonly externalProductId: string;
  /** Address of the product page, on the store's own origin. */
  readonly url: string;
  readonly name: string;
  /** Absent where the variants of the product do not agree on one. */
  readonly sku?: string;
  /** GTIN-8, -12, -13 or -14 with a right check digit. */
  readonly gtin?: string;
  readonly brand?: string;
  /** Absent where the source does not say; false for drafts, private and unpublished products. */
  readonly visible?: boolean;
  /** In the shop's order, without repetition. */
  readonly images: readonly CatalogueImage[];
  readonly attributes?: readonly CatalogueAttribute[];
}

export interface CatalogueImage {
  readonly url: string;
  readonly externalId?: string;
}

export interface CatalogueAttribute {
  readonly name: string;
  readonly value: string;
}

/** Something worth telling about a product that was read all the same. */
export interface CatalogueNote {
  readonly code: NoteCode;
  /** Equal for notes that can be told in one line, for example the host that was replaced. */
  readonly detail: string;
}

/** Why a row is not in. */
export interface CatalogueProblem {
  /** Product number in the file, from 1 (for CSV the line); 0 when the file as a whole is meant. */
  readonly row: number;
  readonly code: ProblemCode;
  /** A sentence. */
  readonly reason: string;
  readonly externalProductId?: string;
}

/** Every row ends as one of the two; none is left out. */
export type CatalogueRow =
  | {
      readonly row: number;
      /** The shape that this row was read as. */
      readonly shape: CatalogueShape;
      readonly product: CatalogueProduct;
      readonly notes: readonly CatalogueNote[];
    }
  | { readonly problem: CatalogueProblem };

/** The sentences end in what the detail names. */
export const NOTES = {
  url_rebased: 'the address was moved to the store URL from',
  images_rebased: 'image addresses were moved to the store URL from',
  image_dropped: 'an image was left out, its address cannot be used:',
  image_repeated: 'an image that is listed twice was taken once:',
  barcode_not_gtin: 'the barcode is not a GTIN and was left out:',
  vendor_is_placeholder: "the vendor is the platform's placeholder and was not taken as brand:",
  brand_ambiguous: 'several brands are named, so none was taken:',
  attributes_cut: 'some attributes were left out:',
  handle_is_id: 'the export carries no product ids, so the handle serves as external id',
} as const;

export type NoteCode = keyof typeof NOTES;

export const PROBLEMS = {
  // of one row
  row_not_json: 'The row is not valid JSON.',
  row_not_product: 'The row is no product of a known shape.',
  row_too_large: 'The row is too large.',
  id_missing: 'The product has no usable identifier.',
  name_missing: 'The product has no readable name.',
  address_missing: 'The product has no address of its own.',
  address_foreign: 'The address of the product is not on the store URL.',
  variation: 'This is a variation, which has no page of its own.',
  repeated: 'The product was already in the file; the first one was kept.',
  // of the file
  file_empty: 'The file is empty.',
  file_is_html: 'The file is a web page, not a catalogue.',
  file_not_utf8: 'The file is not UTF-8 text.',
  file_too_large: 'The file is too large to be read in one piece.',
  file_truncated: 'The file ends in the middle.',
  csv_broken: 'The CSV cannot be read further.',
  csv_columns_missing: 'The CSV lacks columns that a Shopify product export has.',
  shape_unknown: 'The file is no catalogue of a known shape.',
  no_products: 'The file holds no products.',
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

export interface ReadCatalogueOptions {
  /** Address of the shop front, absolute http or https; product pages are put on its origin. */
  readonly storeUrl: string;
  /** Recognised from the content unless told. */
  readonly shape?: CatalogueShape;
  /**
   * What to do with an address on another origin than the store URL's (exports of staging sites): move path and
   * query to the store URL with a note (true, the default), or answer a problem (false).
   */
  readonly rebase?: boolean;
}
