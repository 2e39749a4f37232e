import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../platform/database/database.ts';

/** A change of a store or domain that its products follow; the row of the store or domain has the new values. */
export type ProductChange =
  | { readonly kind: 'store_deletion' | 'image_signing'; readonly storeId: string; readonly hostname?: never }
  | { readonly kind: 'domain'; readonly storeId: string; readonly hostname: string };

/** Counts the products that a change concerns, up to `most`. */
export async function countProducts(
  db: Database | DatabaseTransaction,
  merchantId: string,
  change: ProductChange,
  most?: number,
): Promise<number> {
  const limit = most === undefined ? sql`` : sql`limit ${most}`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from products where ${concerned(merchantId, change)} ${limit}) concerned`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** The products that a change concerns, found by an index in the order of creation. */
export function concerned(
  merchantId: string,
  { kind, storeId, hostname }: ProductChange,
): RawBuilder<unknown> {
  return kind === 'domain'
    ? sql`merchant_id = ${merchantId} and store_id = ${storeId} and host = ${hostname}`
    : sql`merchant_id = ${merchantId} and store_id = ${storeId} and deleted_at is null`;
}
