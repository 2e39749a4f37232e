import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { StoreKey } from '../registry/find-store.ts';
import type { TakenProducts } from './take-due-products.ts';

/** Releases the products of one batch that was not finished, so that any node may take them. */
export async function releaseBatch(
  db: Database,
  { store: { merchantId }, token, productIds }: TakenProducts,
): Promise<void> {
  await sql`
    update certificate_due set taken = null, taken_at = null
    where merchant_id = ${merchantId} and product_id = any(${productIds}::uuid[]) and taken = ${token}`.execute(
    db,
  );
}

/** Releases what earlier runs of a store's job took: only one runs at a time, so they were interrupted. */
export async function releaseEarlierRuns(
  db: Database,
  { id, merchantId }: StoreKey,
  lease: string,
): Promise<void> {
  await sql`
    update certificate_due set taken = null, taken_at = null, taken_by = null
    where merchant_id = ${merchantId} and store_id = ${id} and taken_by <> ${lease}`.execute(db);
}

/** Releases everything. The caller must know that no node is running. */
export async function releaseAllTaken(db: Database): Promise<void> {
  await sql`
    update certificate_due set taken = null, taken_at = null, taken_by = null where taken is not null`.execute(
    db,
  );
}
