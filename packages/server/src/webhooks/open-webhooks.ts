import type { ApiClient } from '@touchstone/page/fetch';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Seal } from '../platform/crypto/seal.ts';
import type { Database } from '../platform/database/database.ts';
import type { DueJobs } from '../platform/jobs/due-jobs.ts';
import { openJobQueue } from '../platform/jobs/job-queue.ts';
import { startJobWorker } from '../platform/jobs/job-worker.ts';
import type { ScheduledTask } from '../platform/jobs/scheduled-tasks.ts';
import type { Closers } from '../platform/lifecycle/closers.ts';
import { createFaultLog } from '../platform/log/fault-log.ts';
import type { Metrics, WebhookCounts } from '../platform/metrics/metrics.ts';
import { deliver, WEBHOOKS } from './deliver.ts';
import { purgeDeliveries } from './purge.ts';

export interface WebhookOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly closers: Closers;
  readonly client: ApiClient;
  readonly seal: Seal;
  readonly due: DueJobs;
}

/** Deliveries under way at this node. */
const CONCURRENT = 8;
/** The same to one webhook, over all nodes. */
const PER_WEBHOOK = 2;

/** Delivers events for as long as the service runs. Answers what is done beside it now and then. */
export function openWebhooks(options: WebhookOptions): readonly ScheduledTask[] {
  const { db, clock, logger, metrics, closers, client, seal, due } = options;
  const queue = openJobQueue({ db, name: WEBHOOKS, perResource: PER_WEBHOOK });
  const onFault = createFaultLog((err, times) => {
    logger.warn({ err, times }, 'events cannot be delivered at the moment; it is tried again');
  }, clock);
  const delivering = { db, clock, queue, client, seal, onAttempt: metrics.onDelivery };
  const worker = startJobWorker({
    queue,
    due,
    concurrent: CONCURRENT,
    run: (job, signal) => deliver(job, delivering, signal),
    onFault,
  });
  closers.add('deliveries of events', worker.close);
  return [
    countWebhooks(db, metrics),
    { name: 'purge deliveries', every: 60 * 60_000, run: () => purgeDeliveries(db) },
  ];
}

function countWebhooks(db: Database, metrics: Metrics): ScheduledTask {
  let counts: WebhookCounts | null = null;
  metrics.watchWebhooks(() => counts);
  const run = async () => {
    const { rows } = await sql<WebhookCounts>`
      select (select count(*)::int from webhook_deliveries where state = 'pending') as pending,
        (select count(*)::int from webhooks where paused in ('failing', 'gone')) as paused`.execute(db);
    counts = rows[0] ?? null;
  };
  // nobody waits for it: no start may depend on a count, and the task logs what fails
  run().catch(() => {});
  return { name: 'count deliveries', every: 60_000, run };
}
