import type { Logger } from 'pino';
import { openJobQueue } from '../../platform/jobs/job-queue.ts';
import { openWorker, type WorkerContext } from '../../platform/jobs/open-worker.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import { SHOPIFY, type ShopifyContext } from './context.ts';
import { runShopJob } from './shop-job.ts';

export interface ShopifyOptions extends ShopifyContext, WorkerContext {
  readonly logger: Logger;
}

/** Shops that this node synchronises concurrently. */
export const CONCURRENT_SHOPS = 4;

/** Keeps connected shops current for as long as the service runs. */
export function openShopify(options: ShopifyOptions): void {
  const { registry, logger } = options;
  const queue = openJobQueue({ db: registry.db, name: SHOPIFY, perResource: 1_000 });
  openWorker(options, {
    name: 'Shopify shops',
    queue,
    concurrent: CONCURRENT_SHOPS,
    run: (job, signal) => runShopJob(job, { ...options, queue }, signal),
    onFault: createFaultWarning(
      { logger, clock: registry.clock },
      'the certificates of a Shopify shop could not be brought up to date; it is tried again',
    ),
    wakesOnChange: true,
  });
}
