import type { StreamEntry } from '../../../core/certificates/stream-certificates.ts';
import type { FeedProduct } from './feed-product.ts';

export type Withdrawn = Extract<StreamEntry, { status: 'withdrawn' }>['line'];
export type End = Extract<StreamEntry, { status: 'end' }>['line'];

/** What a feed is written about. */
export interface FeedAbout {
  readonly store: { readonly name: string; readonly url: string };
  /** The namespace of this service, and its base address. */
  readonly namespaceUrl: string;
  readonly baseUrl: string;
  /** Whether the feed tells what has changed, rather than all products. */
  readonly isUpdate: boolean;
}

/** The text of a feed in one format, part by part. */
export interface FeedWriter {
  readonly mediaType: string;
  begin(): string;
  product(product: FeedProduct): string;
  /** Only in an update. */
  withdrawn(line: Withdrawn): string;
  /** @param end - the last line of the stream; where it was left earlier, only its cursor */
  end(end: Pick<End, 'cursor'> & Partial<End>): string;
  /** Whether the answer is to end before the stream does, to be continued from its last cursor. */
  readonly isFull?: boolean;
}

/** `24.90 EUR`. */
export function priceText({ amount, currency }: NonNullable<FeedProduct['price']>): string {
  return `${amount} ${currency}`;
}
