import type { EventType } from '@touchstone/contract';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';

/** An event in a merchant's account. */
export interface NewEvent {
  readonly type: EventType;
  /** The store concerned. */
  readonly storeId: string;
  /** Separates events of the same store and type, for example by hostname; by default they are combined. */
  readonly subject?: string;
  /** Members of the event's data besides the items. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** The items concerned, in the form of the contract's event: all of them, although only the first 100 are delivered. */
  readonly items?: readonly object[];
  readonly at: Date;
}

/**
 * Records an event, in the transaction in which it happened, for the merchant's webhooks that ask for its type; where none
 * does, nothing is written. What happens to the same store shortly after is added to it, until it is first delivered.
 */
export async function recordEvent(trx: DatabaseTransaction, event: NewEvent): Promise<void> {
  const { type, storeId, subject = '', detail = {}, items = [], at } = event;
  await sql`
    select record_event(${type}, null, ${storeId}, ${subject}, ${JSON.stringify(detail)}::jsonb, ${items.length}::integer,
      ${JSON.stringify(items.slice(0, 100))}::jsonb, ${at})`.execute(trx);
}

/** The same of products of one store, which the event names by both their ids. */
export async function recordProductEvent(
  trx: DatabaseTransaction,
  {
    type,
    storeId,
    productIds,
    at,
  }: Pick<NewEvent, 'type' | 'storeId' | 'at'> & {
    readonly productIds: readonly string[];
  },
): Promise<void> {
  if (productIds.length === 0) return;
  await sql`
    select record_product_event(${type}, ${storeId}, '', '{}', ${productIds}::uuid[], ${at})`.execute(trx);
}
