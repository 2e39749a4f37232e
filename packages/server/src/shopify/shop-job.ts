import { inTransaction } from '../platform/database/database.ts';
import type { Job } from '../platform/jobs/job.ts';
import type { JobQueue } from '../platform/jobs/job-queue.ts';
import { accessOf } from './access.ts';
import { createAdminClient } from './admin-client.ts';
import { type ConnectionRow, readConnection } from './connection-store.ts';
import type { ShopifyContext } from './context.ts';
import { ensureWiring } from './ensure-wiring.ts';
import { ShopifyProblem } from './problem.ts';
import { publishCertificates } from './publish-certificates.ts';
import { readNamedProducts } from './read-named.ts';
import { readAllProducts } from './read-products.ts';

/** Milliseconds after which all products are read again, whatever webhooks said. */
const READ_EVERY = 24 * 3_600_000;
/** Seconds between two looks at what is to be published; and at whether the shop has collected its products. */
const LOOK_EVERY = 60;
const ASK_EVERY = 10;
/** Seconds before a shop is tried again that refused or did not answer; it doubles. */
const RETRY = { first: 30, doublings: 7 };

/** The store was disconnected, or connected anew, while the job spoke with the shop of before. */
class ConnectionReplaced extends Error {}

/** Brings a shop up to date: its products into the registry, their certificates into its metafields. */
export async function runShopJob(
  job: Job,
  context: ShopifyContext & { readonly queue: JobQueue },
  signal: AbortSignal,
): Promise<void> {
  const { registry, queue, api } = context;
  const connection = await readConnection(registry.db, job.subject);
  if (connection === undefined) {
    await queue.drop(job);
    return;
  }
  const client = createAdminClient(api, accessOf(context, connection));
  const progressed = async () => {
    if (!(await inTransaction(registry.db, (trx) => queue.progressed(trx, job))))
      throw new Error('Another node has the job.');
    const { connected_at } = (await readConnection(registry.db, job.subject)) ?? {};
    if (connected_at?.getTime() !== connection.connected_at.getTime()) throw new ConnectionReplaced();
  };
  const work = { context, client, connection, signal, progressed };
  try {
    let isReading = isReadingDue(connection, registry.clock());
    if (isReading) {
      if (connection.reading_since === null) await ensureWiring(context, client, connection, signal);
      isReading = !(await readAllProducts(work));
    }
    await readNamedProducts(work, isReading);
    await publishCertificates(work);
    await setProblem(context, job.subject, null);
    const again = isReading ? ASK_EVERY : LOOK_EVERY;
    await inTransaction(registry.db, (trx) => queue.finish(trx, job, { result: 'done' }, again));
  } catch (error) {
    if (error instanceof ConnectionReplaced) {
      await queue.release(job);
      return;
    }
    if (!(error instanceof ShopifyProblem)) throw error;
    const at = registry.clock().toISOString();
    const since = connection.problem?.code === error.code ? connection.problem.since : at;
    await setProblem(context, job.subject, { code: error.code, detail: error.detail, since });
    const failure = { code: error.code, detail: error.detail, at, attempts: job.attempt };
    const seconds = RETRY.first * 2 ** Math.min(job.attempt - 1, RETRY.doublings);
    await inTransaction(registry.db, (trx) => queue.retry(trx, job, failure, seconds));
  }
}

function isReadingDue({ reading_since, read_at }: ConnectionRow, now: Date): boolean {
  return reading_since !== null || read_at === null || now.getTime() - read_at.getTime() >= READ_EVERY;
}

async function setProblem(
  { registry }: ShopifyContext,
  storeId: string,
  problem: { readonly code: string; readonly detail: string; readonly since: string } | null,
): Promise<void> {
  await registry.db
    .updateTable('shopify_connections')
    .set({ problem: problem === null ? null : JSON.stringify(problem) })
    .where('store_id', '=', storeId)
    .execute();
}
