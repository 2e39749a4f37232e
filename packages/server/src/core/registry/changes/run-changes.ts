import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '../../../platform/database/database.ts';
import type { ChangeKind } from '../../../platform/database/tables.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { JobQueue } from '../../../platform/jobs/job-queue.ts';
import { followProducts } from '../changed-products.ts';
import type { Registry } from '../context.ts';
import { countSeats, countWaiting, lockMerchants, moveSeats } from '../plan-seats.ts';
import { type ActionChange, actOnBatch, countChosen, isAction } from './act-on-batch.ts';
import { applyChange } from './apply-change.ts';
import { countProducts, type ProductChange } from './concerned-products.ts';
import { productsAtOnce } from './make-change.ts';

export interface ChangeRun {
  readonly registry: Registry;
  readonly queue: JobQueue;
  /** Milliseconds between two batches, in which other calls for the merchant can take its lock. */
  readonly pause?: number;
}

/**
 * Has the products of a merchant follow its pending changes, one change after another, batch by batch, each in a short
 * transaction under the merchant's lock; then the seats. Ended at any moment, it leaves whole batches done and the job
 * ready.
 *
 * @throws the reason of `signal`
 */
export async function runChanges(job: Job, run: ChangeRun, signal: AbortSignal): Promise<void> {
  do {
    signal.throwIfAborted();
    await delay(run.pause ?? 5, undefined, { signal });
  } while (await runBatch(job, run));
}

/** Runs one batch of the pending changes; false: nothing is left to do, or this node no longer holds the job. */
export async function runBatch(job: Job, { registry, queue }: ChangeRun): Promise<boolean> {
  const merchantId = job.subject;
  await countTotals(registry.db, merchantId);
  return inTransaction(registry.db, async (trx) => {
    await lockMerchants(trx, [merchantId]);
    if (!(await queue.progressed(trx, job))) return false;
    if (await nextProducts(registry, trx, merchantId)) return true;
    const moved = await moveSeats(trx, merchantId, productsAtOnce(registry));
    if (moved.length > 0) {
      await followProducts(registry, trx, { merchantId, changed: moved });
      await sql`update registry_changes set done = done + ${moved.length}
        where merchant_id = ${merchantId} and finished_at is null and kind = 'capacity'`.execute(trx);
      return true;
    }
    await trx
      .updateTable('registry_changes')
      .set({ finished_at: registry.clock(), total: sql<number>`done` })
      .where('merchant_id', '=', merchantId)
      .where('finished_at', 'is', null)
      .execute();
    await trx.updateTable('merchants').set({ seats_unsettled: false }).where('id', '=', merchantId).execute();
    await queue.finish(trx, job, { result: 'done' }, 0);
    return false;
  });
}

async function nextProducts(
  registry: Registry,
  trx: DatabaseTransaction,
  merchantId: string,
): Promise<boolean> {
  const next = await trx
    .selectFrom('registry_changes')
    .select(['id', 'kind', 'store_id as storeId', 'hostname', 'read_to'])
    .select(['merchant_id as merchantId', 'filter', 'up_to as upTo', 'undoes', 'created_at as at'])
    .select(['key_id as keyId', 'withdraws', 'reason'])
    .where('merchant_id', '=', merchantId)
    .where('finished_at', 'is', null)
    .where('read_to', 'is not', null)
    .orderBy('nth')
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return false;
  const from = next.read_to ?? '0';
  const most = productsAtOnce(registry);
  const batch = isAction(next as { kind: ChangeKind })
    ? await actOnBatch(trx, next as ActionChange, from, most)
    : await applyChange(trx, merchantId, next as ProductChange, from, most);
  await countSeats(trx, merchantId, -batch.released);
  const ofDeletedStore = next.kind === 'store_deletion';
  await followProducts(registry, trx, { ...batch, merchantId, ofDeletedStore });
  await trx
    .updateTable('registry_changes')
    .set({ read_to: batch.readTo, done: sql<number>`done + ${batch.read}` })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', next.id)
    .execute();
  return true;
}

/** Counts the products that each new change concerns, in the background. */
async function countTotals(db: Database, merchantId: string): Promise<void> {
  const uncounted = await db
    .selectFrom('registry_changes as c')
    .innerJoin('merchants as m', 'm.id', 'c.merchant_id')
    .select(['c.id', 'kind', 'store_id as storeId', 'hostname', 'done', 'plan_capacity', 'slots_held'])
    .select(['merchant_id as merchantId', 'filter', 'up_to as upTo', 'undoes', 'c.created_at as at'])
    .select(['key_id as keyId', 'withdraws', 'reason'])
    .where('merchant_id', '=', merchantId)
    .where('finished_at', 'is', null)
    .where('total', 'is', null)
    .execute();
  for (const change of uncounted) {
    const left = await countLeft(db, change);
    if (left === null) continue;
    await db
      .updateTable('registry_changes')
      .set({ total: sql<number>`done + ${left}` })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', change.id)
      .where('total', 'is', null)
      .execute();
  }
}

interface Uncounted extends Omit<ActionChange, 'kind' | 'storeId'> {
  readonly kind: ChangeKind;
  readonly storeId: string | null;
  readonly slots_held: number;
  readonly plan_capacity: number;
}

async function countLeft(db: Database, change: Uncounted): Promise<number | null> {
  if (isAction(change as { kind: ChangeKind })) return countChosen(db, change as ActionChange);
  if (change.kind !== 'capacity')
    return countProducts(db, change.merchantId, change as unknown as ProductChange);
  const over = change.slots_held - change.plan_capacity;
  return over >= 0 ? over : countWaiting(db, change.merchantId, -over);
}
