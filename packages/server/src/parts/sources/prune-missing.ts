import { sql } from 'kysely';
import { deleteProduct } from '../../core/registry/products/change-product.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { ImportRun, ImportTask } from './import-task.ts';

/** If more than this share of a store's products is missing, a mistake in the source is more likely than their removal. */
const SUSPICIOUS_SHARE = 0.2;
const BATCH = 100;

/**
 * Records how many products of the store the source did not contain, and deletes them if the import's rule allows it. Nothing
 * is recorded or deleted if the source could not be read completely, or contained nothing.
 *
 * @returns false if this node no longer holds the job
 */
export async function pruneMissing(
  job: Job,
  task: ImportTask,
  { registry, queue }: Pick<ImportRun, 'registry' | 'queue'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { db } = registry;
  const { merchantId } = task;
  // looked up by key for each product: joined, it would be read whole for each, for as long as the tables have no statistics
  const isMissing = sql`(select true from import_products seen
    where seen.merchant_id = ${merchantId} and seen.import_id = ${task.id} and seen.external_product_id = p.external_product_id) is null`;
  const { rows } = await sql<{ all: number; missing: number; seen: number; whole: boolean; deleted: number }>`
    select count(*)::int as "all", count(*) filter (where ${isMissing})::int as missing,
      (select count(*)::int from import_products where merchant_id = ${merchantId} and import_id = ${task.id}) as seen,
      (select deleted from imports where merchant_id = ${merchantId} and id = ${task.id}) as deleted,
      (select not exists (select from jsonb_each(problems) where value->'example'->>'row' = '0')
        from imports where merchant_id = ${merchantId} and id = ${task.id}) as whole
    from products p where p.merchant_id = ${merchantId} and p.store_id = ${task.storeId} and p.deleted_at is null`.execute(
    db,
  );
  const found = rows[0];
  if (found === undefined || !found.whole || found.seen === 0) return true;
  // an import that was interrupted while it deleted has deleted some already
  const before = found.deleted ?? 0;
  const missing = found.missing + before;
  const isFew = missing <= (found.all + before) * SUSPICIOUS_SHARE;
  const record = (deleted: number) =>
    inTransaction(db, async (trx) => {
      if (!(await queue.progressed(trx, job))) return false;
      await trx
        .updateTable('imports')
        .set({ missing, deleted })
        .where('merchant_id', '=', merchantId)
        .where('id', '=', task.id)
        .execute();
      return true;
    });
  if (!(await record(before))) return false;
  if (task.prune === 'never' || (task.prune === 'cautious' && !isFew)) return true;
  for (let deleted = before; ; ) {
    signal.throwIfAborted();
    const { rows: products } = await sql<{ id: string }>`
      select p.id from products p
      where p.merchant_id = ${merchantId} and p.store_id = ${task.storeId} and p.deleted_at is null and ${isMissing}
      limit ${BATCH}`.execute(db);
    if (products.length === 0) return true;
    for (const { id } of products) await deleteProduct(registry, { merchantId }, id);
    deleted += products.length;
    if (!(await record(deleted))) return false;
  }
}
