import { PROOF_LIFETIME } from '@touchstone/certificate';
import { sql } from 'kysely';
import type { JobFailure } from '../../platform/database/column-types.ts';
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts';
import { MOST_AHEAD } from './proof-table.ts';
import type { TakenProducts } from './take-due-products.ts';

/** Products made due by one statement. */
const FUTURE_DATED_BATCH = 10_000;

/**
 * Makes products due whose proofs are dated in the future because the clock has been set back since: no verifier with the
 * correct time accepts them. Handles a limited number per call.
 */
export async function orderFutureDated(db: Database, now: Date): Promise<void> {
  const latest = new Date(now.getTime() + PROOF_LIFETIME * 1000 + MOST_AHEAD);
  const { rows } = await sql<{ products: string[]; stores: string[] }>`
    with ahead as (
      select l.merchant_id, l.product_id, l.store_id from proofs p
      join certificate_lines l
        on l.merchant_id = p.merchant_id and l.product_id = p.subject_id and l.proof_id = p.id
      where p.expires_at > ${latest} and not exists (
        select from certificate_due d where d.merchant_id = l.merchant_id and d.product_id = l.product_id)
      limit ${FUTURE_DATED_BATCH}
    )
    select array_agg(product_id order by product_id) as products, array_agg(store_id order by product_id) as stores
    from ahead group by merchant_id`.execute(db);
  for (const { products, stores } of rows)
    await sql`select order_certificates(${products}::uuid[], ${stores}::uuid[], now())`.execute(db);
}

/** Removes products that have not changed since they were taken, without waiting for the locks of others. */
export async function settleDue(
  trx: DatabaseTransaction,
  { token, store: { merchantId } }: TakenProducts,
  productIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ product_id: string }>`
    delete from certificate_due where merchant_id = ${merchantId} and product_id = any(array(
      select product_id from certificate_due
      where merchant_id = ${merchantId} and product_id = any(${productIds}::uuid[]) and taken = ${token}
      for update skip locked))
    returning product_id`.execute(trx);
  return new Set(rows.map(({ product_id }) => product_id));
}

/** Seconds until a product that failed is tried again: doubled with each failure. */
const RETRY_DELAY = { first: 60, doublings: 8 };

/** Postpones products whose certificates could not be issued, so that they do not hold up the others. */
export async function postponeDue(
  db: Database,
  { token, store: { merchantId } }: TakenProducts,
  failed: readonly { readonly productId: string; readonly failure: Omit<JobFailure, 'attempts'> }[],
): Promise<void> {
  await sql`
    update certificate_due d set taken = null, taken_at = null,
      due_at = now() + make_interval(secs => ${RETRY_DELAY.first}::float8
        * power(2, least(coalesce((d.failure->>'attempts')::int, 0), ${RETRY_DELAY.doublings}::integer))),
      failure = failed.failure || jsonb_build_object('attempts', coalesce((d.failure->>'attempts')::int, 0) + 1)
    from unnest(${failed.map(({ productId }) => productId)}::uuid[],
                ${failed.map(({ failure }) => JSON.stringify(failure))}::jsonb[]) as failed (product_id, failure)
    where d.merchant_id = ${merchantId} and d.product_id = failed.product_id and d.taken = ${token}`.execute(
    db,
  );
}
