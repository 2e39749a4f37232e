import type { PageReading, ReadOptions } from '@touchstone/page';

/** What a reading thread is sent. The buffer is handed over, not copied. */
export interface ReadOrder {
  readonly body: ArrayBuffer;
  readonly options: ReadOptions;
}

/** What it sends: once that it is ready, then one answer for each order. */
export type ThreadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly reading: PageReading; readonly heapBytes: number }
  | { readonly kind: 'broken'; readonly error: unknown; readonly heapBytes: number };
