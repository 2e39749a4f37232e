import type { ApiClient } from '@touchstone/fetch';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { OpenPart } from '../../core/part.ts';
import type { Clock } from '../../platform/clock.ts';
import type { KeyedHash } from '../../platform/crypto/keyed-hash.ts';
import type { Seal } from '../../platform/crypto/seal.ts';
import type { Database } from '../../platform/database/database.ts';
import { openJobQueue } from '../../platform/jobs/job-queue.ts';
import { countPeriodically } from '../../platform/jobs/periodic-count.ts';
import type { ScheduledTask } from '../../platform/jobs/scheduled-tasks.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { deliver } from './deliver.ts';
import { purgeDeliveries } from './purge.ts';
import { WEBHOOKS } from './record-events.ts';
import { webhookRoutes } from './routes.ts';

export interface WebhookOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly client: ApiClient;
  readonly seal: Seal;
  readonly hash: KeyedHash;
  readonly allowHttp: boolean;
}

/** Concurrent deliveries of this node. */
const CONCURRENT = 8;
/** The same to one host, over all nodes, whoever has webhooks there. */
const PER_HOST = 2;

export function openWebhooks(options: WebhookOptions): OpenPart {
  const { db, clock, logger, metrics, client, seal, hash, allowHttp } = options;
  const queue = openJobQueue({ db, name: WEBHOOKS, perResource: PER_HOST });
  const onAttempt = metrics.labelledCounter({
    name: 'webhook_attempts_total',
    help: 'Delivery attempts of this node, by outcome.',
    label: 'outcome',
  });
  return {
    routes: webhookRoutes({ db, clock, seal, hash, allowHttp }),
    queues: [
      {
        name: 'deliveries of events',
        queue,
        concurrent: CONCURRENT,
        run: (job, signal) => deliver(job, { db, clock, queue, client, seal, hash, onAttempt }, signal),
        onFault: createFaultWarning(
          { logger, clock },
          'events cannot be delivered at the moment; it is tried again',
        ),
      },
    ],
    tasks: [
      countWebhooks(db, metrics),
      { name: 'purge deliveries', every: 60 * 60_000, run: () => purgeDeliveries(db, clock()) },
    ],
  };
}

interface WebhookCounts {
  readonly pending: number;
  readonly paused: number;
}

function countWebhooks(db: Database, metrics: Metrics): ScheduledTask {
  const counts = countPeriodically({
    name: 'count deliveries',
    every: 60_000,
    count: async () => {
      const { rows } = await sql<WebhookCounts>`
        select (select count(*)::int from webhook_deliveries where state = 'pending') as pending,
          (select count(*)::int from webhooks where paused in ('failing', 'gone')) as paused`.execute(db);
      return rows[0] ?? null;
    },
  });
  metrics.gauge(
    {
      name: 'webhook_deliveries_pending',
      help: 'Deliveries of all webhooks waiting for an attempt; counted once a minute.',
    },
    () => counts.latest()?.pending ?? null,
  );
  metrics.gauge(
    {
      name: 'webhooks_paused',
      help: 'Webhooks paused because their endpoints fail; counted once a minute.',
    },
    () => counts.latest()?.paused ?? null,
  );
  return counts.task;
}
