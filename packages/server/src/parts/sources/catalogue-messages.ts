import type { CatalogueProblem, LiveCursor, SourceKind } from '@touchstone/catalogue';
import type { CheckedRow } from '../../core/registry/products/read-rows.ts';

/** What a thread is to read. */
export interface CatalogueTask {
  readonly url: string;
  readonly storeUrl: string;
  /** Milliseconds between two requests to the shop. */
  readonly interval: number;
  readonly kind?: SourceKind;
  readonly after?: LiveCursor;
}

/** A row of a catalogue: as the registry would take it, or why it is no product. */
export type ImportRow =
  | { readonly row: number; readonly checked: CheckedRow }
  | { readonly problem: CatalogueProblem };

/** Some rows, and the position behind them. */
export interface ImportBatch {
  readonly rows: readonly ImportRow[];
  readonly cursor: LiveCursor;
  readonly total?: number;
  readonly skipped: number;
}

/** What a thread asks for. */
export type CatalogueQuestion =
  | { readonly kind: 'get'; readonly url: string }
  | { readonly kind: 'sleep'; readonly milliseconds: number }
  | { readonly kind: 'page'; readonly url: string; readonly body: ArrayBuffer };

/** The answer of a shop. */
export interface ShopAnswer {
  readonly status: number;
  readonly finalUrl: string;
  readonly retryAfter?: number;
  readonly body?: ArrayBuffer;
}
