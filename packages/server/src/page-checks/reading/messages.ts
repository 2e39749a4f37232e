import type { PageReading, ReadOptions } from '@touchstone/page';

/** What a reading thread is started with. */
export interface ThreadStart {
  /** Whether it stands back where processors are short. */
  readonly isNice: boolean;
}

/** What a reading thread is sent. The buffer is handed over, not copied. */
export interface ReadOrder {
  readonly body: ArrayBuffer;
  readonly options: ReadOptions;
}

/** What it sends: once that it is ready, then one answer for each order. */
export type ThreadMessage =
  | { readonly kind: 'ready' }
  | (ReadCost & { readonly kind: 'read'; readonly reading: PageReading })
  | (ReadCost & { readonly kind: 'broken'; readonly error: unknown });

/** What a page took. */
export interface ReadCost {
  /** Milliseconds of a processor. */
  readonly cpu: number;
  /** Bytes that the thread holds afterwards. */
  readonly held: number;
}
