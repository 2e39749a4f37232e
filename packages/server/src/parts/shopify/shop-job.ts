import { inTransaction } from '../../platform/database/database.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import { accessOf } from './access.ts';
import { createAdminClient } from './admin-client.ts';
import { type ConnectionRow, readConnection } from './connection-store.ts';
import type { ShopifyContext } from './context.ts';
import { ensureSubscriptions } from './ensure-subscriptions.ts';
import { ShopifyProblem } from './problem.ts';
import { publishCertificates } from './publish-certificates.ts';
import { readNamedProducts } from './read-named.ts';
import { readAllProducts } from './read-products.ts';

/** Milliseconds after which all products are read again, regardless of webhooks. */
const READ_INTERVAL = 24 * 3_600_000;
/** Seconds between two runs that publish certificates, and between two checks of a bulk operation. */
const PUBLISH_INTERVAL = 60;
const BULK_POLL_INTERVAL = 10;
/** Seconds before the first retry with a shop that refused or did not answer; doubled each time. */
const RETRY = { first: 30, doublings: 7 };

/** The store was disconnected or connected again while the job worked with the former connection. */
class ConnectionReplaced extends Error {}

/** Synchronises a shop: its products into the registry, their certificates into its metafields. */
export async function runShopJob(
  job: Job,
  context: ShopifyContext & { readonly queue: JobQueue },
  signal: AbortSignal,
): Promise<void> {
  const { registry, queue, api } = context;
  const connection = await readConnection(registry.db, job.subject, job.owner);
  if (connection === undefined) {
    await queue.drop(job);
    return;
  }
  const client = createAdminClient(api, accessOf(context, connection));
  const progressed = async () => {
    if (!(await inTransaction(registry.db, (trx) => queue.progressed(trx, job))))
      throw new Error('Another node has the job.');
    const { connected_at } = (await readConnection(registry.db, job.subject, job.owner)) ?? {};
    if (connected_at?.getTime() !== connection.connected_at.getTime()) throw new ConnectionReplaced();
  };
  const work = { context, client, connection, signal, progressed };
  try {
    let isReading = isReadingDue(connection, registry.clock());
    if (isReading) {
      if (connection.reading_since === null) await ensureSubscriptions(context, client, connection, signal);
      isReading = !(await readAllProducts(work));
    }
    await readNamedProducts(work, isReading);
    await publishCertificates(work);
    await setProblem(context, job, null);
    const again = isReading ? BULK_POLL_INTERVAL : PUBLISH_INTERVAL;
    await inTransaction(registry.db, (trx) => queue.finish(trx, job, { result: 'done' }, again));
  } catch (error) {
    if (error instanceof ConnectionReplaced) {
      await queue.release(job);
      return;
    }
    if (!(error instanceof ShopifyProblem)) throw error;
    const at = registry.clock().toISOString();
    const since = connection.problem?.code === error.code ? connection.problem.since : at;
    await setProblem(context, job, { code: error.code, detail: error.detail, since });
    const failure = { code: error.code, detail: error.detail, at, attempts: job.attempt };
    const seconds = RETRY.first * 2 ** Math.min(job.attempt - 1, RETRY.doublings);
    await inTransaction(registry.db, (trx) => queue.retry(trx, job, failure, seconds));
  }
}

function isReadingDue({ reading_since, read_at }: ConnectionRow, now: Date): boolean {
  return reading_since !== null || read_at === null || now.getTime() - read_at.getTime() >= READ_INTERVAL;
}

async function setProblem(
  { registry }: ShopifyContext,
  { subject, owner }: Job,
  problem: { readonly code: string; readonly detail: string; readonly since: string } | null,
): Promise<void> {
  await registry.db
    .updateTable('shopify_connections')
    .set({ problem: problem === null ? null : JSON.stringify(problem) })
    .where('merchant_id', '=', owner)
    .where('store_id', '=', subject)
    .execute();
}
