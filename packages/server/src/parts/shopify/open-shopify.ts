import type { Logger } from 'pino';
import type { OpenPart } from '../../core/part.ts';
import { openJobQueue } from '../../platform/jobs/job-queue.ts';
import type { Closers } from '../../platform/lifecycle/closers.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import { SHOPIFY, type ShopifyContext } from './context.ts';
import { purgeConnections } from './end-connection.ts';
import { shopifyRoutes } from './routes.ts';
import { runShopJob } from './shop-job.ts';
import { openShopThreads } from './shop-threads.ts';

export interface ShopifyOptions extends Omit<ShopifyContext, 'threads'> {
  readonly logger: Logger;
  readonly closers: Closers;
}

/** Shops that this node synchronises concurrently. */
const CONCURRENT_SHOPS = 4;

/** Keeps connected shops current for as long as the service runs. */
export function openShopify({ logger, closers, ...options }: ShopifyOptions): OpenPart {
  const { db, clock } = options.registry;
  const threads = openShopThreads(CONCURRENT_SHOPS, (err) =>
    logger.error({ err }, 'a thread that parses what shops send cannot be started'),
  );
  closers.add('readers of shops', () => threads.destroy());
  const context: ShopifyContext = { ...options, threads };
  const queue = openJobQueue({ db, name: SHOPIFY, perResource: 1_000 });
  return {
    routes: shopifyRoutes(context),
    queues: [
      {
        name: 'Shopify shops',
        queue,
        concurrent: CONCURRENT_SHOPS,
        run: (job, signal) => runShopJob(job, { ...context, queue }, signal),
        onFault: createFaultWarning(
          { logger, clock },
          'the certificates of a Shopify shop could not be brought up to date; it is tried again',
        ),
        wakesOnChange: true,
      },
    ],
    tasks: [
      {
        name: 'purge connections of deleted stores',
        every: 3_600_000,
        atStart: true,
        run: () => purgeConnections(db),
      },
    ],
  };
}
