import { hostOf } from '@touchstone/certificate/binding';
import { type ApiClient, FetchFault } from '@touchstone/fetch';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { KeyedHash } from '../../platform/crypto/keyed-hash.ts';
import type { Seal } from '../../platform/crypto/seal.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { openText } from '../../platform/database/sealed-texts.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import { type Attempt, attempt } from './attempt.ts';
import { payloadOf, type RecordedEvent } from './payload.ts';
import { nextAttempt } from './retry-schedule.ts';
import { secretName, signatureHeaders } from './secrets.ts';

/** The host of an address, by which concurrent deliveries are limited, whoever has webhooks there. */
export function hostKey({ hash }: { readonly hash: KeyedHash }, url: string): string {
  return hash('hosts of webhooks', hostOf(url) ?? '').toString('base64url');
}

/** Seconds in which items may be added to an event: after the last one added, and after the first. */
const GATHER = { quiet: 2, max: 60 };
/** Seconds until the next attempt after a failure of our own network. */
const NETWORK_WAIT = 60;
/** Days without a successful attempt after which a webhook is paused. */
const PAUSE_AFTER_DAYS = 5;

export interface DeliverOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly client: ApiClient;
  readonly seal: Seal;
  readonly hash: KeyedHash;
  /** The code of the failed attempt, or `delivered`. */
  readonly onAttempt?: (outcome: string) => void;
}

interface Task {
  readonly merchantId: string;
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly attempts: number;
  readonly url: string;
  readonly paused: string | null;
  readonly secrets: readonly Uint8Array[];
  readonly event: RecordedEvent;
}

/** Attempts one delivery, and records the result together with the end of the job. */
export async function deliver(job: Job, options: DeliverOptions, signal: AbortSignal): Promise<void> {
  const { db, queue, clock, client } = options;
  if (await isGathering(options, job)) return;
  const task = await loadTask(options, job);
  if (task === null || (task.paused !== null && task.event.type !== 'webhook.test')) {
    // resuming a webhook orders its pending deliveries
    await queue.drop(job);
    return;
  }
  const body = JSON.stringify(payloadOf(task.event));
  const at = clock();
  const headers = signatureHeaders({ id: task.event.id, at, body }, task.secrets);
  const begun = performance.now();
  const made = await attempt(client, task.url, { body, headers, signal }).catch((error: unknown) => {
    if (error instanceof FetchFault) return error;
    throw error;
  });
  if (made instanceof FetchFault) {
    const failure = { code: 'network_unavailable', detail: '', at: at.toISOString(), attempts: job.attempt };
    await inTransaction(db, (trx) => queue.postpone(trx, job, failure, NETWORK_WAIT));
    options.onAttempt?.('fault');
    return;
  }
  const milliseconds = Math.round(performance.now() - begun);
  await record(job, task, { ...made, at, milliseconds }, options);
  options.onAttempt?.(made.failure?.code ?? 'delivered');
}

/** Whether items may still be added to the event; its delivery waits until then. */
async function isGathering({ db, queue, clock }: DeliverOptions, job: Job): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select e.id from events e join webhook_deliveries d on d.merchant_id = e.merchant_id and d.event_id = e.id
    where d.merchant_id = ${job.owner} and d.id = ${job.subject} and e.gathering`.execute(db);
  const [event] = rows;
  if (event === undefined) return false;
  const now = clock().getTime();
  const ago = (seconds: number) => new Date(now - seconds * 1_000);
  return inTransaction(db, async (trx) => {
    const { numAffectedRows } = await sql`
      update events set gathering = false
      where merchant_id = ${job.owner} and id = ${event.id} and (not gathering
        or added_at <= ${ago(GATHER.quiet)} or opened_at <= ${ago(GATHER.max)})`.execute(trx);
    if (numAffectedRows === 1n) return false;
    await queue.finish(trx, job, { result: 'done' }, GATHER.quiet);
    return true;
  });
}

async function loadTask({ db, seal, hash, clock }: DeliverOptions, job: Job): Promise<Task | null> {
  const row = await db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhooks as w', (join) =>
      join.onRef('w.merchant_id', '=', 'd.merchant_id').onRef('w.id', '=', 'd.webhook_id'),
    )
    .innerJoin('events as e', (join) =>
      join.onRef('e.merchant_id', '=', 'd.merchant_id').onRef('e.id', '=', 'd.event_id'),
    )
    .select(['d.id as deliveryId', 'w.id as webhookId', 'd.attempts', 'w.url', 'w.host_key', 'w.paused'])
    .select(['w.merchant_id as merchantId', 'w.secret', 'w.former_secret', 'w.former_until'])
    .select([
      'e.id',
      'e.type',
      'e.merchant_id',
      'e.store_id',
      'e.detail',
      'e.count',
      'e.items',
      'e.occurred_at',
    ])
    .where('d.merchant_id', '=', job.owner)
    .where('d.id', '=', job.subject)
    .where('d.state', '=', 'pending')
    .executeTakeFirst();
  if (row === undefined) return null;
  const { deliveryId, webhookId, merchantId, attempts, url, host_key, paused, ...rest } = row;
  const { secret, former_secret, former_until, ...event } = rest;
  const former =
    former_secret !== null && former_until !== null && former_until > clock() ? [former_secret] : [];
  const secrets = [secret, ...former].map((sealed) => seal.open(secretName(webhookId), sealed));
  const address = openText(seal, 'webhooks', { id: webhookId, merchantId }, url);
  if (host_key === null) {
    const known = { host_key: hostKey({ hash }, address) };
    await db
      .updateTable('webhooks')
      .set(known)
      .where('merchant_id', '=', merchantId)
      .where('id', '=', webhookId)
      .where('url', '=', url)
      .execute();
  }
  return { merchantId, deliveryId, webhookId, attempts, url: address, paused, secrets, event };
}

interface MadeAttempt extends Attempt {
  readonly at: Date;
  readonly milliseconds: number;
}

async function record(
  job: Job,
  task: Task,
  made: MadeAttempt,
  { db, queue }: Pick<DeliverOptions, 'db' | 'queue'>,
): Promise<void> {
  const { failure, status, at, milliseconds } = made;
  const attempts = task.attempts + 1;
  const isGone = failure?.code === 'endpoint_gone';
  // somebody waits for the result of a test, and orders another
  const isLast = isGone || task.event.type === 'webhook.test';
  const again = failure === undefined || isLast ? null : nextAttempt(attempts, made.retryAfter);
  await inTransaction(db, async (trx) => {
    const isMine =
      again === null || failure === undefined
        ? await queue.finish(trx, job, { result: 'done' }, 0)
        : await queue.retry(trx, job, { ...failure, at: at.toISOString(), attempts }, again);
    // it was ordered again meanwhile, or another node has claimed it: their results count
    if (!isMine) return;
    await trx
      .updateTable('webhook_deliveries')
      .set({
        state: failure === undefined ? 'delivered' : again === null ? 'failed' : 'pending',
        attempts,
        attempted_at: at,
        milliseconds,
        response_status: status ?? null,
        code: failure?.code ?? null,
        detail: failure?.detail.slice(0, 300) ?? '',
      })
      .where('merchant_id', '=', task.merchantId)
      .where('id', '=', task.deliveryId)
      .execute();
    if (failure === undefined) await recordSuccess(trx, task, at);
    else await tookNone(trx, task, at, isGone);
  });
}

/** Updates the webhook only if something changes or a minute has passed: otherwise deliveries would block each other on its row. */
async function recordSuccess(
  trx: DatabaseTransaction,
  { merchantId, webhookId }: Task,
  at: Date,
): Promise<void> {
  await sql`
    update webhooks set failing_since = null, delivered_at = ${at}
    where merchant_id = ${merchantId} and id = ${webhookId} and (failing_since is not null
      or delivered_at is null or delivered_at < ${at}::timestamptz - interval '1 minute')`.execute(trx);
}

async function tookNone(trx: DatabaseTransaction, task: Task, at: Date, isGone: boolean): Promise<void> {
  const patience = new Date(at.getTime() - PAUSE_AFTER_DAYS * 86_400_000);
  await sql`
    update webhooks set failing_since = coalesce(failing_since, ${at}),
      paused = case when paused is not null then paused when ${isGone}::boolean then 'gone'
        when failing_since <= ${patience} then 'failing' end,
      paused_at = case when paused is not null then paused_at
        when ${isGone}::boolean or failing_since <= ${patience} then ${at}::timestamptz end
    where merchant_id = ${task.merchantId} and id = ${task.webhookId}
      and (${isGone}::boolean or failing_since is null or failing_since <= ${patience})`.execute(trx);
}
