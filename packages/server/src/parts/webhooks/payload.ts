import { type EventType, ITEMS_OF } from '@touchstone/contract';

/** The columns of the table `events` that are delivered. */
export interface RecordedEvent {
  readonly id: string;
  readonly type: string;
  readonly merchant_id: string;
  readonly store_id: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly count: number | null;
  readonly items: readonly unknown[];
  readonly occurred_at: Date;
}

/** The body of a delivery, in the shape that the contract gives for its type (`EVENTS`). */
export function payloadOf(event: RecordedEvent): {
  readonly type: string;
  readonly timestamp: string;
  readonly data: object;
} {
  const { type, merchant_id: merchantId, store_id: storeId, detail, count, items, occurred_at } = event;
  const named = ITEMS_OF[type as EventType];
  const counted = named === undefined ? {} : { ...(count === null ? {} : { count }), [named]: items };
  return {
    type,
    timestamp: occurred_at.toISOString(),
    data: { merchantId, ...(storeId === null ? {} : { storeId }), ...detail, ...counted },
  };
}
