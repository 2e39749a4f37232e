import type { NoteCode, ProblemCode } from './problems.ts';

/** The supported formats of catalogues. */
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

/** One row of `PUT /api/v1/registry/stores/{id}/products`. */
export interface CatalogueProduct {
  /** The platform's own identifier; the handle if an export has no identifiers. */
  readonly externalProductId: string;
  /** Address of the product page, on the store's own origin. */
  readonly url: string;
  readonly name: string;
  /** Absent if the variants of the product have different ones. */
  readonly sku?: string;
  /** GTIN-8, -12, -13 or -14 with a correct check digit. */
  readonly gtin?: string;
  /** Absent if the source states none, several, or only a placeholder. */
  readonly brand?: string;
  /** What anyone pays now; absent if variants differ, or if the source states none, or only for a period. */
  readonly price?: { readonly amount: string; readonly currency: string; readonly includesTax?: boolean };
  /** A name of schema.org's ItemAvailability; absent if variants differ. */
  readonly availability?: string;
  /** Absent if the source does not state it; false for drafts, private and unpublished products. */
  readonly visible?: boolean;
  /** In the shop's order, without repetitions. */
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

/** A further fact; name and value have up to 120 characters. */
export interface CatalogueAttribute {
  readonly name: string;
  readonly value: string;
}

/** A remark on a product that was read. */
export interface CatalogueNote {
  readonly code: NoteCode;
  /** Equal for notes that can be reported together, for example the host that was replaced. */
  readonly detail: string;
}

/** Why a row is not a product. */
export interface CatalogueProblem {
  /** Number of the product in the file, from 1 (of the line in CSV); 0 for the file as a whole. */
  readonly row: number;
  readonly code: ProblemCode;
  /** A sentence. */
  readonly reason: string;
  readonly externalProductId?: string;
}

/** A row, or a file, that could not be read. */
export interface ProblemRow {
  readonly problem: CatalogueProblem;
}

/** The result for one row of a catalogue; no row is left out. */
export type CatalogueRow =
  | {
      readonly row: number;
      /** The format as which this row was read. */
      readonly shape: CatalogueShape;
      readonly product: CatalogueProduct;
      readonly notes: readonly CatalogueNote[];
    }
  | ProblemRow;

/** How a catalogue is read. */
export interface ReadCatalogueOptions {
  /** Address of the storefront, absolute http or https; product addresses are moved to its origin. */
  readonly storeUrl: string;
  /** Default: detected from the content. */
  readonly shape?: CatalogueShape;
  /**
   * What to do with an address on another origin than the store URL's (exports of staging sites): move path and
   * query to the store URL with a note (true, the default), or answer a problem (false).
   */
  readonly rebase?: boolean;
}
