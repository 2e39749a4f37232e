import type { FactSource } from '@touchstone/page/document';

/** A raw value from the page, with the name of its source field. */
export interface Stated {
  readonly value: string;
  readonly field: string;
}

/** One offer with its raw values. */
export interface OfferRecord {
  readonly price?: Stated;
  /** The high end of a range whose low end is `price`. */
  readonly highPrice?: Stated;
  readonly currency?: Stated;
  readonly availability?: Stated;
  /** The price is stated as before tax. */
  readonly net?: true;
  readonly sku?: Stated;
  readonly gtin?: Stated;
  readonly url?: string;
  /** The article is used, refurbished or damaged. */
  readonly used?: true;
  /** A range over several sellers or variants (AggregateOffer). */
  readonly aggregate: boolean;
}

/** One product with its raw values, from structured data in any syntax. */
export interface ProductRecord {
  readonly source: FactSource;
  /** Weight of the syntax (`RECORD` in `weights.ts`). */
  readonly weight: number;
  /** Position among the records of the page. */
  readonly order: number;
  readonly types: readonly string[];
  readonly name?: Stated;
  readonly description?: Stated;
  readonly sku?: Stated;
  readonly brand?: Stated;
  /** Also an EAN, UPC or ISBN. */
  readonly gtin?: Stated;
  readonly images: readonly Stated[];
  /** URLs and ids that may identify its page. */
  readonly urls: readonly string[];
  readonly offers: readonly OfferRecord[];
  readonly variants: readonly ProductRecord[];
  /** Nested under a property for other products, or in a list. */
  readonly related: boolean;
  /** In no other node. */
  readonly outermost: boolean;
  /** Declared as the page's main entity. */
  readonly main: boolean;
  /** One of several records of the page's product with different article numbers, none of them selected. */
  readonly oneOfSeveral?: true;
}
