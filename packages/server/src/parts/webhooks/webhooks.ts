import { randomUUID } from 'node:crypto';
import {
  ASKED_EVENTS,
  type CreatedWebhook,
  type EventType,
  MAX_PENDING_DELIVERIES,
  MAX_WEBHOOKS,
  type Webhook,
  type WebhookCreate,
  type WebhookList,
  type WebhookListQuery,
  type WebhookPatch,
  type WebhookSecret,
} from '@touchstone/contract';
import { type Selectable, sql } from 'kysely';
import { pageOf, type Registry } from '../../core/registry/context.ts';
import { merchantIn } from '../../core/registry/find-store.ts';
import type { KeyedHash } from '../../platform/crypto/keyed-hash.ts';
import type { Seal } from '../../platform/crypto/seal.ts';
import { type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { openText, sealText } from '../../platform/database/sealed-texts.ts';
import type { WebhooksTable } from '../../platform/database/tables.ts';
import { ServiceError } from '../../platform/errors.ts';
import { inScope, type Scope } from '../../platform/http/access.ts';
import { orderSubjects } from '../../platform/jobs/order-jobs.ts';
import { hostKey } from './deliver.ts';
import { WEBHOOKS } from './record-events.ts';
import { newSecret, secretName, shownSecret } from './secrets.ts';

/** Dependencies of the use cases of webhooks. */
export interface WebhookContext extends Pick<Registry, 'db' | 'clock'> {
  readonly seal: Seal;
  readonly hash: KeyedHash;
  /** Whether endpoints without TLS are allowed, for development. */
  readonly allowHttp: boolean;
}

/** Throws `merchant_unknown`, `webhook_url_refused`; `conflict` above the maximum of a merchant. */
export async function createWebhook(
  context: WebhookContext,
  scope: Scope,
  { url, events, description = '', ...input }: WebhookCreate,
): Promise<CreatedWebhook> {
  const merchantId = input.merchantId.toLowerCase();
  if (!inScope(scope, merchantId)) throw new ServiceError('merchant_unknown');
  assertUrl(context, url);
  const [id, secret] = [randomUUID(), newSecret()];
  await inTransaction(context.db, async (trx) => {
    // locked before the webhooks are counted, so that those made at the same time are among them
    const merchant = await sql`select from merchants where id = ${merchantId} for update`.execute(trx);
    if (merchant.rows.length === 0) throw new ServiceError('merchant_unknown');
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from webhooks where merchant_id = ${merchantId}`.execute(trx);
    if ((rows[0]?.count ?? 0) >= MAX_WEBHOOKS) {
      throw new ServiceError('conflict', { message: `A merchant has at most ${MAX_WEBHOOKS} webhooks.` });
    }
    await trx.insertInto('directory').values({ id, merchant_id: merchantId }).execute();
    await trx
      .insertInto('webhooks')
      .values({
        id,
        merchant_id: merchantId,
        url: sealText(context.seal, 'webhooks', { id, merchantId }, url),
        host_key: hostKey(context, url),
        description,
        events: events ?? [...ASKED_EVENTS],
        secret: context.seal.seal(secretName(id), secret),
        created_at: context.clock(),
      })
      .execute();
  });
  return { ...(await getWebhook(context, scope, id)), secret: shownSecret(secret) };
}

/** Throws `webhook_unknown`, also for one out of scope. */
export async function getWebhook(context: WebhookContext, scope: Scope, id: string): Promise<Webhook> {
  const { rows } = await sql<WebhookRow>`
    select ${COLUMNS} from webhooks w where merchant_id = ${merchantIn(scope, id)} and id = ${id}`.execute(
    context.db,
  );
  const [row] = rows;
  if (row === undefined) throw new ServiceError('webhook_unknown');
  return toView(row, context);
}

export async function listWebhooks(
  context: WebhookContext,
  scope: Scope,
  query: WebhookListQuery,
): Promise<WebhookList> {
  const { limit } = query;
  const [merchantId, cursor] = [query.merchantId ?? null, query.cursor ?? null];
  const own = scope === 'all' ? null : scope.merchantId;
  const { rows } = await sql<WebhookRow>`
    select ${COLUMNS} from webhooks w
    where (${own}::uuid is null or merchant_id = ${own}) and (${merchantId}::uuid is null or merchant_id = ${merchantId})
      and (${cursor}::uuid is null or id > ${cursor})
    order by id limit ${limit + 1}`.execute(context.db);
  const { page, next } = pageOf(rows, limit, ({ id }) => id);
  return { webhooks: page.map((row) => toView(row, context)), ...next };
}

/** Changes a webhook; resuming it orders its pending deliveries. Throws `webhook_unknown`, `webhook_url_refused`. */
export async function patchWebhook(
  context: WebhookContext,
  scope: Scope,
  id: string,
  { url, events, description, paused }: WebhookPatch,
): Promise<Webhook> {
  if (url !== undefined) assertUrl(context, url);
  const present = await getWebhook(context, scope, id);
  await inTransaction(context.db, async (trx) => {
    const isResumed = paused === false && present.state === 'paused';
    const isPaused = paused === true && present.state === 'active';
    await trx
      .updateTable('webhooks')
      .set({
        ...(url === undefined
          ? {}
          : {
              url: sealText(context.seal, 'webhooks', present, url),
              host_key: hostKey(context, url),
            }),
        ...(events === undefined ? {} : { events }),
        ...(description === undefined ? {} : { description }),
        ...(isPaused ? { paused: 'asked' as const, paused_at: context.clock() } : {}),
        ...(isResumed ? { paused: null, paused_at: null, failing_since: null } : {}),
        // an update must set at least one column
        id,
      })
      .where('merchant_id', '=', present.merchantId)
      .where('id', '=', id)
      .execute();
    if (url !== undefined) await movePending(trx, present, hostKey(context, url));
    if (isResumed) await orderPending(trx, present);
  });
  return getWebhook(context, scope, id);
}

/** Pending deliveries go to the new address, so they count against the limit of its host. */
async function movePending(
  trx: DatabaseTransaction,
  { id, merchantId }: Webhook,
  key: string,
): Promise<void> {
  await sql`
    with pending as (
      select subject from jobs where queue = ${WEBHOOKS} and resource <> ${key} and subject = any(array(
        select id from webhook_deliveries
        where merchant_id = ${merchantId} and webhook_id = ${id} and state = 'pending'))
      order by subject for update)
    update jobs set resource = ${key}
    where queue = ${WEBHOOKS} and subject = any(array(select subject from pending))`.execute(trx);
}

async function orderPending(trx: DatabaseTransaction, webhook: Webhook): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from webhook_deliveries
    where merchant_id = ${webhook.merchantId} and webhook_id = ${webhook.id} and state = 'pending' order by nth`.execute(
    trx,
  );
  await orderSubjects(
    trx,
    WEBHOOKS,
    rows.map(({ id }) => id),
  );
}

/** Deletes a webhook with all its deliveries. Throws `webhook_unknown`. */
export async function deleteWebhook(context: WebhookContext, scope: Scope, id: string): Promise<void> {
  const { merchantId } = await getWebhook(context, scope, id);
  await inTransaction(context.db, async (trx) => {
    // a transaction that adds a delivery has committed by then, or finds no webhook
    await sql`select from webhooks where merchant_id = ${merchantId} and id = ${id} for update`.execute(trx);
    await sql`
      with gone as (
        delete from webhook_deliveries where merchant_id = ${merchantId} and webhook_id = ${id} returning id)
      delete from jobs where queue = ${WEBHOOKS} and subject in (select id from gone)`.execute(trx);
    await trx.deleteFrom('directory').where('id', '=', id).execute();
    await trx.deleteFrom('webhooks').where('merchant_id', '=', merchantId).where('id', '=', id).execute();
  });
}

/** Creates another secret; the former one also signs for a number of hours. Throws `webhook_unknown`. */
export async function rotateSecret(
  context: WebhookContext,
  scope: Scope,
  id: string,
  keepHours: number,
): Promise<WebhookSecret> {
  const { merchantId } = await getWebhook(context, scope, id);
  const secret = newSecret();
  const until = keepHours === 0 ? null : new Date(context.clock().getTime() + keepHours * 3_600_000);
  await sql`
    update webhooks set secret = ${context.seal.seal(secretName(id), secret)}, former_until = ${until}::timestamptz,
      former_secret = case when ${until}::timestamptz is not null then secret end
    where merchant_id = ${merchantId} and id = ${id}`.execute(context.db);
  return {
    id,
    secret: shownSecret(secret),
    ...(until === null ? {} : { formerSecretUntil: until.toISOString() }),
  };
}

function assertUrl({ allowHttp }: WebhookContext, url: string): void {
  if (!allowHttp && new URL(url).protocol !== 'https:') throw new ServiceError('webhook_url_refused');
}

const COLUMNS = sql`
  id, merchant_id, url, description, events, paused, paused_at, failing_since, delivered_at, former_until, created_at,
  (select count(*)::int from (
    
    select from webhook_deliveries where merchant_id = w.merchant_id and webhook_id = w.id and state = 'pending' limit ${MAX_PENDING_DELIVERIES}) pending) as pending`;

type WebhookRow = Omit<Selectable<WebhooksTable>, 'secret' | 'former_secret' | 'host_key'> & {
  readonly pending: number;
};

function toView(row: WebhookRow, { seal, clock }: WebhookContext): Webhook {
  const { paused, paused_at, failing_since, delivered_at, former_until } = row;
  return {
    id: row.id,
    merchantId: row.merchant_id,
    url: openText(seal, 'webhooks', { id: row.id, merchantId: row.merchant_id }, row.url),
    ...(row.description === '' ? {} : { description: row.description }),
    events: row.events as EventType[],
    state: paused === null ? 'active' : 'paused',
    ...(paused === null ? {} : { pausedBecause: paused }),
    ...(paused_at === null ? {} : { pausedAt: paused_at.toISOString() }),
    ...(failing_since === null ? {} : { failingSince: failing_since.toISOString() }),
    ...(delivered_at === null ? {} : { deliveredAt: delivered_at.toISOString() }),
    pending: row.pending,
    ...(former_until === null || former_until <= clock()
      ? {}
      : { formerSecretUntil: former_until.toISOString() }),
    createdAt: row.created_at.toISOString(),
  };
}
