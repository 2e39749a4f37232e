import { randomUUID } from 'node:crypto';
import {
  DELIVERY_ORDERS_PER_MINUTE,
  type Delivery,
  type DeliveryList,
  type DeliveryListQuery,
  type DeliveryWithPayload,
  type EventType,
  MAX_PENDING_DELIVERIES,
  RATE_WINDOW,
  type Webhook,
} from '@touchstone/contract';
import { DELIVERY_FAILURES, type DeliveryFailureCode } from '@touchstone/contract/codes';
import { type RawBuilder, sql } from 'kysely';
import { pageOf } from '../../core/registry/context.ts';
import { type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { countHit } from '../../platform/database/rate-windows.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { orderJob } from '../../platform/jobs/order-jobs.ts';
import { hostKey } from './deliver.ts';
import { payloadOf, type RecordedEvent } from './payload.ts';
import { WEBHOOKS } from './record-events.ts';
import { getWebhook, type WebhookContext } from './webhooks.ts';

/** The log of a webhook, the latest first. Throws `webhook_unknown`. */
export async function listDeliveries(
  context: WebhookContext,
  scope: Scope,
  webhookId: string,
  query: DeliveryListQuery,
): Promise<DeliveryList> {
  const { limit } = query;
  const [state, cursor] = [query.state ?? null, query.cursor ?? null];
  const { merchantId } = await getWebhook(context, scope, webhookId);
  const rows = await select(
    context,
    sql`d.merchant_id = ${merchantId} and d.webhook_id = ${webhookId} and (${state}::text is null or d.state = ${state})
      and (${cursor}::uuid is null or d.nth < (
        select nth from webhook_deliveries where merchant_id = ${merchantId} and id = ${cursor}))`,
    limit + 1,
  );
  const { page, next } = pageOf(rows, limit, (row) => row.delivery_id);
  return { deliveries: page.map(toView), ...next };
}

/** Throws `webhook_unknown`, `delivery_unknown`. */
export async function getDelivery(
  context: WebhookContext,
  scope: Scope,
  webhookId: string,
  id: string,
): Promise<DeliveryWithPayload> {
  const row = await findDelivery(context, await getWebhook(context, scope, webhookId), id);
  return { ...toView(row), payload: { ...payloadOf(row) } };
}

/** Orders a delivery again, with all its attempts. Throws `webhook_unknown`, `delivery_unknown`; `conflict` while paused or full. */
export async function replayDelivery(
  context: WebhookContext,
  scope: Scope,
  webhookId: string,
  id: string,
): Promise<Delivery> {
  const webhook = await getWebhook(context, scope, webhookId);
  const { state, merchantId } = webhook;
  const { type } = await findDelivery(context, webhook, id);
  if (state === 'paused' && type !== 'webhook.test') {
    throw new ServiceError('conflict', {
      message: 'The webhook is paused: resume it first, which also attempts pending deliveries.',
    });
  }
  await countOrder(context, webhook);
  await inTransaction(context.db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('webhook_deliveries')
      .set({ state: 'pending', attempts: 0 })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new ServiceError('delivery_unknown');
    await orderJob(trx, WEBHOOKS, {
      subject: id,
      owner: merchantId,
      resource: hostKey(context, webhook.url),
    });
  });
  return toView(await findDelivery(context, webhook, id));
}

/** Sends a test event, with one attempt. Throws `webhook_unknown`; `conflict` while full; `deliveries_rate_limited`. */
export async function testWebhook(
  context: WebhookContext,
  scope: Scope,
  webhookId: string,
): Promise<Delivery> {
  const webhook = await getWebhook(context, scope, webhookId);
  const { merchantId } = webhook;
  await countOrder(context, webhook);
  const id = randomUUID();
  await inTransaction(context.db, async (trx) => {
    // locked until the delivery exists: the webhook may be deleted at this moment
    const { rows } = await sql`
      select from webhooks where merchant_id = ${merchantId} and id = ${webhookId} for key share`.execute(
      trx,
    );
    if (rows.length === 0) throw new ServiceError('webhook_unknown');
    await addTestEvent(trx, { id, merchantId, webhookId, at: context.clock() });
    await orderJob(trx, WEBHOOKS, {
      subject: id,
      owner: merchantId,
      resource: hostKey(context, webhook.url),
    });
  });
  return toView(await findDelivery(context, webhook, id));
}

/** Counts a test or a replay of a merchant: each is a request to a host of its choice. */
async function countOrder({ db }: WebhookContext, { merchantId, pending }: Webhook): Promise<void> {
  if (pending >= MAX_PENDING_DELIVERIES) throw new ServiceError('conflict', { message: FULL });
  const bucket = { name: `deliveries:${merchantId}`, limit: DELIVERY_ORDERS_PER_MINUTE };
  const { allowed, reset } = await countHit(db, bucket, RATE_WINDOW);
  if (!allowed) throw new ServiceError('deliveries_rate_limited', { retryAfter: reset });
}

const FULL = `The webhook has ${MAX_PENDING_DELIVERIES} pending deliveries: correct its endpoint first.`;

async function findDelivery(context: WebhookContext, webhook: Webhook, id: string): Promise<Row> {
  const { merchantId, id: webhookId } = webhook;
  const which = sql`d.merchant_id = ${merchantId} and d.webhook_id = ${webhookId} and d.id = ${id}`;
  const [row] = await select(context, which, 1);
  if (row === undefined) throw new ServiceError('delivery_unknown');
  return row;
}

async function addTestEvent(
  trx: DatabaseTransaction,
  test: { readonly id: string; readonly merchantId: string; readonly webhookId: string; readonly at: Date },
): Promise<void> {
  const { id, merchantId, webhookId, at } = test;
  const eventId = randomUUID();
  await trx
    .insertInto('events')
    .values({
      id: eventId,
      type: 'webhook.test',
      merchant_id: merchantId,
      detail: JSON.stringify({ webhookId }),
      occurred_at: at,
      gathering: false,
      opened_at: at,
      added_at: at,
    })
    .execute();
  await trx
    .insertInto('webhook_deliveries')
    .values({ merchant_id: merchantId, id, webhook_id: webhookId, event_id: eventId, created_at: at })
    .execute();
}

interface Row extends RecordedEvent {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly state: Delivery['state'];
  readonly attempts: number;
  readonly attempted_at: Date | null;
  readonly milliseconds: number | null;
  readonly response_status: number | null;
  readonly code: DeliveryFailureCode | null;
  readonly failure_detail: string;
  readonly created_at: Date;
  readonly next_at: Date | null;
}

async function select(context: WebhookContext, which: RawBuilder<unknown>, limit: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select d.id as delivery_id, d.webhook_id, d.state, d.attempts, d.attempted_at, d.milliseconds, d.response_status, d.code,
      d.detail as failure_detail, d.created_at, j.due_at as next_at,
      e.id, e.type, e.merchant_id, e.store_id, e.detail, e.count, e.items, e.occurred_at
    from webhook_deliveries d join events e on e.merchant_id = d.merchant_id and e.id = d.event_id
      left join jobs j on j.queue = ${WEBHOOKS} and j.subject = d.id and d.state = 'pending'
    where ${which} order by d.nth desc limit ${limit}`.execute(context.db);
  return rows;
}

function toView(row: Row): Delivery {
  return {
    id: row.delivery_id,
    webhookId: row.webhook_id,
    eventId: row.id,
    type: row.type as EventType,
    occurredAt: row.occurred_at.toISOString(),
    state: row.state,
    attempts: row.attempts,
    ...(row.attempted_at === null ? {} : { lastAttempt: lastAttempt(row, row.attempted_at) }),
    ...(row.next_at === null ? {} : { nextAttemptAt: row.next_at.toISOString() }),
    createdAt: row.created_at.toISOString(),
  };
}

function lastAttempt({ milliseconds, response_status: status, code, failure_detail: detail }: Row, at: Date) {
  return {
    at: at.toISOString(),
    milliseconds: milliseconds ?? 0,
    ...(status === null ? {} : { status }),
    ...(code === null ? {} : { code, nextStep: DELIVERY_FAILURES[code].nextStep }),
    ...(detail === '' ? {} : { detail }),
  };
}
