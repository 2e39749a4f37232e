import type { Logger } from 'pino';
import type { ChangeHub } from '../platform/cache/changes.ts';
import type { DueJobs } from '../platform/jobs/due-jobs.ts';
import { openJobQueue } from '../platform/jobs/job-queue.ts';
import { startJobWorker } from '../platform/jobs/job-worker.ts';
import type { Closers } from '../platform/lifecycle/closers.ts';
import { createFaultLog } from '../platform/log/fault-log.ts';
import { SHOPIFY, type ShopifyContext } from './context.ts';
import { runShopJob } from './shop-job.ts';

export interface ShopifyOptions extends ShopifyContext {
  readonly logger: Logger;
  readonly closers: Closers;
  readonly changes: ChangeHub;
  readonly due: DueJobs;
}

/** Shops that this node speaks with at a time: most of it is waiting. */
const SHOPS = 4;

/** Keeps connected shops current for as long as the service runs. */
export function openShopify(options: ShopifyOptions): void {
  const { registry, logger, closers, changes, due } = options;
  const queue = openJobQueue({ db: registry.db, name: SHOPIFY, perResource: 1_000 });
  const onFault = createFaultLog((err, times) => {
    logger.warn({ err, times }, 'a Shopify shop could not be kept current; it is tried again');
  }, registry.clock);
  const worker = startJobWorker({
    queue,
    due,
    concurrent: SHOPS,
    run: (job, signal) => runShopJob(job, { ...options, queue }, signal),
    onFault,
  });
  const unsubscribe = changes.subscribe(worker.wake);
  closers.add('Shopify shops', () => {
    unsubscribe();
    return worker.close();
  });
}
