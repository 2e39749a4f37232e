import type { CatalogueRow } from '../types.ts';

/** Where the products of a shop come from. */
export const SOURCE_KINDS = ['shopify', 'woocommerce', 'woocommerce-rest', 'document', 'sitemap'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** Says what was read: who has it may go on from there. */
export interface LiveCursor {
  readonly kind: SourceKind;
  /** The front page, or the document. */
  readonly url: string;
  /** Pages of the interface, rows of the document, or pages of the sitemap, that were read. */
  readonly position: number;
}

/** Some rows, and where they end. */
export interface LiveBatch {
  readonly rows: readonly CatalogueRow[];
  readonly cursor: LiveCursor;
  /** Products, or pages, in all, where that is known. */
  readonly total?: number;
  /** Pages that state no product, and were not said to. */
  readonly skipped: number;
}
