import type { CatalogueRow } from '../types.ts';

/** Kinds of sources from which the products of a shop are read. */
export const SOURCE_KINDS = ['shopify', 'woocommerce', 'woocommerce-rest', 'document', 'sitemap'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** The position up to which a source was read, from which reading can resume. */
export interface LiveCursor {
  readonly kind: SourceKind;
  /** The front page, or the document. */
  readonly url: string;
  /** Number of pages of the API, rows of the document, or product pages of the sitemaps that were read. */
  readonly position: number;
  /** Rows behind the position that were read, too, of a page with more than one batch. */
  readonly rows?: number;
}

/** Some rows, and the position behind them. */
export interface LiveBatch {
  readonly rows: readonly CatalogueRow[];
  readonly cursor: LiveCursor;
  /** Total of products or pages, if known. */
  readonly total?: number;
  /** Pages that state no product, from sitemaps that are not only of products. */
  readonly skipped: number;
}
