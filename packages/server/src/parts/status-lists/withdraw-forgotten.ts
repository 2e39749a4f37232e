import { entryAt, STATUS_LIST_SIZE } from '@touchstone/certificate/withdrawal';
import { sql } from 'kysely';
import type { ChangedProduct, Emit } from '../../core/registry/events.ts';
import { lockMerchants } from '../../core/registry/plan-seats.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { type Entries, INVALID } from './entries.ts';

export interface MergedList {
  readonly listId: number;
  readonly entries: Entries;
}

interface Forgotten {
  readonly merchant_id: string;
  readonly product_id: string;
  /** The newest proof that is called invalid: those that were issued later are not. */
  readonly issued_at: Date;
}

/**
 * The registry has forgotten what it had withdrawn: none of these proofs is served again, it is listed for their merchants, and what is
 * active gets new ones.
 */
export async function withdrawForgotten(
  trx: DatabaseTransaction,
  { clock, emit }: { readonly clock: Clock; readonly emit: Emit },
  lists: readonly MergedList[],
): Promise<void> {
  const found: Forgotten[] = [];
  for (const list of lists) found.push(...(await productsOf(trx, list)));
  const byMerchant = Map.groupBy(found, ({ merchant_id }) => merchant_id);
  const now = clock();
  for (const { id: merchantId } of await lockMerchants(trx, [...byMerchant.keys()])) {
    const forgotten = byMerchant.get(merchantId) ?? [];
    const { rows: products } = await sql<ChangedProduct>`
      with forgotten as (
        select id, max(at) as at from unnest(${forgotten.map(({ product_id }) => product_id)}::uuid[],
          ${forgotten.map(({ issued_at }) => issued_at)}::timestamptz[]) as each (id, at) group by id
      ), withdrawn as (
        update products p set withdrawn_at = f.at from forgotten f
        where p.merchant_id = ${merchantId} and p.id = f.id and (p.withdrawn_at is null or p.withdrawn_at < f.at)
        returning p.id, p.store_id, product_standing(p.deleted_at, p.disabled, p.visible, p.host_known, p.slot_order) as standing
      ), listed as (
        insert into withdrawals (merchant_id, store_id, product_id, cause, at)
        select ${merchantId}, store_id, id, 'restored', ${now}::timestamptz from withdrawn order by id
      )
      select id, store_id as "storeId", standing as was, standing as "is", false as "isRenamed" from withdrawn order by id`.execute(
      trx,
    );
    if (products.length === 0) continue;
    await emit(trx, 'productsChanged', { merchantId, products, ofDeletedStore: false, now });
    const productIds = products.map(({ id }) => id);
    await emit(trx, 'certificatesWithdrawn', { merchantId, productIds, now });
  }
}

/** Those with a proof that the list calls invalid. */
async function productsOf(
  trx: DatabaseTransaction,
  { listId, entries }: MergedList,
): Promise<readonly Forgotten[]> {
  const indices: number[] = [];
  for (let index = 0; index < STATUS_LIST_SIZE; index += 1)
    if (entryAt(entries, index) === INVALID) indices.push(index);
  const { rows } = await sql<Forgotten>`
    with gone as (
      select merchant_id, kind, subject_id, issued_at from proofs
      where status_list = ${listId} and status_index = any(${indices}::integer[])
    )
    select merchant_id, subject_id as product_id, issued_at from gone where kind = 'product'
    union all
    select g.merchant_id, i.product_id, g.issued_at
    from gone g join images i on i.merchant_id = g.merchant_id and i.id = g.subject_id where g.kind <> 'product'`.execute(
    trx,
  );
  return rows;
}
