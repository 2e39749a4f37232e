import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ChangedProduct, CoreListener } from '../../core/registry/events.ts';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { EventItems, NewEvent } from '../../platform/events/new-event.ts';

/** The queue of deliveries: a job for each of them, whose resource is the host of the address (`hostKey`). */
export const WEBHOOKS = 'webhooks';

/** Items that an event names; all are counted. */
const NAMED = 100;
/** Pending deliveries of a webhook, so that no endpoint that fails fills the disk, or is flooded once it works. */
const MOST_PENDING = 10_000;

/** Records what happens to what merchants have, for those who asked to be told. */
export const webhookEvents: CoreListener = {
  recorded: recordEvents,
  async productsChanged(trx, { merchantId, products, now: at }) {
    const altered = products.filter(({ was, is }) => was !== null && was !== is);
    if (altered.length === 0) return;
    const { rows } = await sql<{ paused: boolean }>`
      select paused from merchants m where id = ${merchantId} and exists (
        select from webhooks where merchant_id = m.id and paused is null and 'product.state_changed' = any(events))`.execute(
      trx,
    );
    const [merchant] = rows;
    if (merchant !== undefined)
      await recordEvents(trx, statesOf(altered, { merchantId, isPaused: merchant.paused, at }));
  },
  // of all that its stores have: one event for each of them
  async merchantPaused(trx, { merchantId, paused, now: at }) {
    const { rows: stores } = await sql<{ id: string }>`
      select id from stores where merchant_id = ${merchantId} and deleted_at is null and exists (
        select from webhooks where merchant_id = ${merchantId} and paused is null and 'product.state_changed' = any(events))
      order by id`.execute(trx);
    const event = { type: 'product.state_changed', subject: 'all', items: 'all', at } as const;
    const detail = { state: paused ? 'paused' : 'active' };
    await recordEvents(
      trx,
      stores.map(({ id: storeId }) => ({ ...event, merchantId, storeId, detail })),
    );
  },
};

/** An event for each store and new state; a pause of the merchant hides whether a product has a seat. */
function statesOf(
  products: readonly ChangedProduct[],
  {
    merchantId,
    isPaused,
    at,
  }: { readonly merchantId: string; readonly isPaused: boolean; readonly at: Date },
): NewEvent[] {
  const told = (state: string | null) =>
    isPaused && (state === 'no_slot' || state === 'active') ? 'paused' : state;
  const groups = new Map<string, { storeId: string; state: string; productIds: string[] }>();
  for (const { id, storeId, was, is } of products) {
    const state = told(is) ?? is;
    if (state === told(was)) continue;
    const key = `${storeId} ${state}`;
    const group = groups.get(key) ?? { storeId, state, productIds: [] };
    group.productIds.push(id);
    groups.set(key, group);
  }
  // rows of events are locked in this order
  return [...groups.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { storeId, state, productIds }]) => ({
      type: 'product.state_changed',
      merchantId,
      storeId,
      subject: state,
      detail: { state },
      items: { productIds },
      at,
    }));
}

/**
 * Records events where a webhook of the merchant asks for them: else nothing is written. While an event has not been delivered, more of
 * the same store, type and subject is added to it, so that a change of a million products is a few events.
 */
export async function recordEvents(trx: DatabaseTransaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const { rows: asked } = await sql<{ merchantId: string; type: string }>`
    select distinct w.merchant_id as "merchantId", event.type
    from unnest(${events.map(({ merchantId }) => merchantId)}::uuid[], ${events.map(({ type }) => type)}::text[])
      as event (merchant_id, type)
    join webhooks w on w.merchant_id = event.merchant_id and w.paused is null and event.type = any(w.events)`.execute(
    trx,
  );
  for (const event of events) {
    if (asked.some(({ merchantId, type }) => merchantId === event.merchantId && type === event.type))
      await recordEvent(trx, event);
  }
}

async function recordEvent(trx: DatabaseTransaction, event: NewEvent): Promise<void> {
  const { type, merchantId, storeId, subject = '', detail = {}, at, items = [] } = event;
  const named = JSON.stringify(await named100(trx, merchantId, items));
  const id = randomUUID();
  const { rows } = await sql<{ id: string }>`
    insert into events as e (id, type, merchant_id, store_id, subject, detail, count, items, occurred_at)
      values (${id}, ${type}, ${merchantId}, ${storeId}, ${subject}, ${JSON.stringify(detail)}::jsonb,
        ${countOf(items)}, ${named}::jsonb, ${at})
    on conflict (merchant_id, store_id, type, subject) where gathering do update set count = e.count + excluded.count,
      items = jsonb_path_query_array(e.items || excluded.items, ${sql.lit(`$[0 to ${NAMED - 1}]`)}), added_at = excluded.added_at
    returning id`.execute(trx);
  // another id: it was added to an event
  if (rows[0]?.id !== id) return;
  if (await orderDeliveries(trx, merchantId, type, id)) return;
  // nothing will be delivered that would end it
  await trx
    .updateTable('events')
    .set({ gathering: false })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
}

const countOf = (items: EventItems): number | null => {
  if (items === 'all') return null;
  return 'productIds' in items ? items.productIds.length : items.length;
};

/** Products are named by both their ids. */
async function named100(
  trx: DatabaseTransaction,
  merchantId: string,
  items: EventItems,
): Promise<readonly object[]> {
  if (items === 'all') return [];
  if (!('productIds' in items)) return items.slice(0, NAMED);
  const { rows } = await sql<{ productId: string; externalProductId: string }>`
    select p.id as "productId", p.external_product_id as "externalProductId"
    from unnest(${items.productIds.slice(0, NAMED)}::uuid[]) with ordinality as named (id, nth)
    join products p on p.merchant_id = ${merchantId} and p.id = named.id order by named.nth`.execute(trx);
  return rows;
}

/**
 * Makes a delivery with its job for each webhook that asks for the event. Webhooks are locked, so that one that is deleted meanwhile is
 * waited for and passed over.
 *
 * @returns whether any is pending
 */
async function orderDeliveries(
  trx: DatabaseTransaction,
  merchantId: string,
  type: string,
  eventId: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with told as (
      select id, host_key from webhooks where merchant_id = ${merchantId} and paused is null and ${type} = any(events)
      order by id for key share
    ), counted as (
      select id, host_key, exists (
        select from webhook_deliveries where merchant_id = ${merchantId} and webhook_id = told.id and state = 'pending'
        offset ${sql.lit(MOST_PENDING - 1)}) as is_full
      from told
    ), made as (
      insert into webhook_deliveries (merchant_id, webhook_id, event_id, state, code, attempted_at)
        select ${merchantId}, id, ${eventId}, case when is_full then 'failed' else 'pending' end,
          case when is_full then 'delivery_queue_full' end, case when is_full then now() end
        from counted order by id
      returning id, webhook_id, state)
    insert into jobs (queue, subject, owner, resource, state, due_at)
      select ${WEBHOOKS}, made.id, ${merchantId}, coalesce(host_key, webhook_id::text), 'scheduled', now() + interval '2 seconds'
      from made join told on told.id = made.webhook_id where made.state = 'pending'`.execute(trx);
  return numAffectedRows !== undefined && numAffectedRows > 0n;
}
