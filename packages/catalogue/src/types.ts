import type { NoteCode, ProblemCode } from './problems.ts';

/** The shapes a shop's catalogue is met in. */
export const CATALOGUE_SHAPES = [
  'shopify-json',
  'shopify-csv',
  'woocommerce-store-api',
  'woocommerce-rest-v3',
  'woocommerce-csv',
  'google-xml',
  'google-tsv',
  'registry',
  'pages',
] as const;

/** One of `CATALOGUE_SHAPES`. */
export type CatalogueShape = (typeof CATALOGUE_SHAPES)[number];

/** One row of `PUT /api/v1/registry/stores/{id}/products`: what the registry is sent of a product. */
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
  /** Absent where none, several or only a placeholder is named. */
  readonly brand?: string;
  /** Absent where the source does not say; false for drafts, private and unpublished products. */
  readonly visible?: boolean;
  /** In the shop's order, without repetition. */
  readonly images: readonly CatalogueImage[];
  /** At most 12; never name, description or price. */
  readonly attributes?: readonly CatalogueAttribute[];
}

/** One image of a product. */
export interface CatalogueImage {
  /** Absolute, as a WHATWG URL. */
  readonly url: string;
  /** The platform's own identifier. */
  readonly externalId?: string;
}

/** A fact beside the identifiers; name and value up to 120 characters. */
export interface CatalogueAttribute {
  readonly name: string;
  readonly value: string;
}

/** Something to know about a product that was read all the same. */
export interface CatalogueNote {
  readonly code: NoteCode;
  /** Equal for notes that can be reported in one line, for example the host that was replaced. */
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

/** How a catalogue is read. */
export interface ReadCatalogueOptions {
  /** Address of the shop front, absolute http or https; product pages are put on its origin. */
  readonly storeUrl: string;
  /** Default: detected from the content. */
  readonly shape?: CatalogueShape;
  /**
   * What to do with an address on another origin than the store URL's (exports of staging sites): move path and
   * query to the store URL with a note (true, the default), or answer a problem (false).
   */
  readonly rebase?: boolean;
}
