import type { EventType } from '@touchstone/contract';

/** An event in a merchant's account. */
export interface NewEvent {
  readonly type: EventType;
  readonly merchantId: string;
  /** The store concerned. */
  readonly storeId: string;
  /** Separates events of the same store and type, for example by hostname; by default they are combined. */
  readonly subject?: string;
  /** Members of the event's data besides the items. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** The things concerned; default: none. */
  readonly items?: EventItems;
  readonly at: Date;
}

/**
 * All things that an event is about, although only the first 100 are delivered: in the form of the contract's event, or products
 * by their ids; or whatever the store has.
 */
export type EventItems = readonly object[] | { readonly productIds: readonly string[] } | 'all';
