import { sql } from 'kysely';
import type { CoreListener } from '../../core/registry/events.ts';
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts';

/** The queue of sweeps: a job for each store. */
export const SWEEPS = 'sweeps';

/** Has pages checked whose products are new or changed. */
export const sweepOrders: CoreListener = {
  async storeCreated(trx, { merchantId, storeId }) {
    await trx.insertInto('sweep_stores').values({ merchant_id: merchantId, store_id: storeId }).execute();
    await trx
      .insertInto('jobs')
      .values({ queue: SWEEPS, subject: storeId, owner: merchantId, state: 'idle', due_at: null })
      .execute();
  },
  async productsChanged(trx, { merchantId, products }) {
    const created = products.filter(({ was }) => was === null);
    const altered = products.filter(({ was, is, isRenamed }) => was !== null && (was !== is || isRenamed));
    const swept = await orderPages(trx, merchantId, altered);
    await wakeSweeps(trx, [...created.map(({ storeId }) => storeId), ...swept]);
  },
};

/** Adds stores that were created while the service ran without sweeps. @returns how many */
export async function addMissingStores(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    with missing as (
        insert into sweep_stores (merchant_id, store_id)
          select merchant_id, id from stores s where deleted_at is null and not exists (
            select from sweep_stores w where w.merchant_id = s.merchant_id and w.store_id = s.id)
          order by merchant_id, id
        on conflict do nothing returning merchant_id, store_id)
    insert into jobs (queue, subject, owner, state, due_at)
      select ${SWEEPS}, store_id, merchant_id, 'scheduled', now() + interval '60 seconds' from missing
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Has these pages checked next, but for stores that were never swept: all of their pages are to be checked anyway. A store whose
 * products were visited was swept, though none of them may have been active.
 *
 * @returns the stores concerned
 */
async function orderPages(
  trx: DatabaseTransaction,
  merchantId: string,
  products: readonly { readonly id: string; readonly storeId: string }[],
): Promise<readonly string[]> {
  if (products.length === 0) return [];
  const { rows } = await sql<{ store_id: string }>`
    with altered as materialized (
        select product_id, a.store_id
        from unnest(${products.map(({ id }) => id)}::uuid[], ${products.map(({ storeId }) => storeId)}::uuid[])
          as a (product_id, store_id)
        join sweep_stores s on s.merchant_id = ${merchantId} and s.store_id = a.store_id and (s.checked_at is not null or s.visited_to > 0)
        order by product_id),
      ordered as (
        insert into sweep_pages as page (merchant_id, product_id, store_id, turn)
          select ${merchantId}, product_id, store_id, '-infinity' from altered
        on conflict (merchant_id, product_id) do update set turn = '-infinity' where page.turn <> '-infinity')
    select distinct store_id from altered`.execute(trx);
  return rows.map(({ store_id }) => store_id);
}

/**
 * There is something to do for these stores; a minute gathers what an import brings. Also for a job that runs or is about to: its row
 * stays locked until the change is committed, so that the run either ends after that, and sees that it was ordered again, or begins
 * after it. Locked in the order of their keys, as others lock them.
 */
async function wakeSweeps(trx: DatabaseTransaction, storeIds: readonly string[]): Promise<void> {
  if (storeIds.length === 0) return;
  const soon = sql`now() + interval '60 seconds'`;
  await sql`
    with locked as (
      select subject from jobs where queue = ${SWEEPS} and subject = any(${[...new Set(storeIds)]}::uuid[])
      order by subject for update)
    update jobs set orders = orders + 1, state = case when state = 'idle' then 'scheduled' else state end,
      due_at = case when state = 'idle' or (state = 'scheduled' and due_at > ${soon}) then ${soon} else due_at end
    where queue = ${SWEEPS} and subject in (select subject from locked)`.execute(trx);
}
