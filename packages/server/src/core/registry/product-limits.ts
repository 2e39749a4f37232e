import { type RawBuilder, sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';

/** How many rows of products there may be, unless the operator sets another limit for a merchant. */
export interface ProductLimits {
  /** Of a merchant whose plan does not allow more. */
  readonly perMerchant: number;
  /** Of one store; absent: as many as its merchant may have. */
  readonly perStore?: number | undefined;
}

const DEFAULT_LIMITS: ProductLimits = { perMerchant: 100_000 };

/** Rows for each seat of a plan: products that are hidden, deleted or wait for a seat are rows, too. */
const ROWS_PER_SEAT = 10;

/** The limit of a merchant, of the table `merchants`. */
export function limitOfMerchant(limits: ProductLimits = DEFAULT_LIMITS): RawBuilder<number> {
  return sql<number>`coalesce(product_limit,
    least(greatest(${limits.perMerchant}::bigint, ${ROWS_PER_SEAT} * plan_capacity::bigint), 2147483647)::integer)`;
}

/** How many products may be added to a store, and the limit that says so. */
export async function roomOf(
  trx: DatabaseTransaction,
  store: { readonly id: string; readonly merchantId: string },
  limits: ProductLimits = DEFAULT_LIMITS,
): Promise<{ readonly free: number; readonly limit: number }> {
  const { rows } = await sql<{ limit: number; merchant: number; store: number }>`
    select ${limitOfMerchant(limits)} as "limit",
      (select coalesce(sum(products), 0)::integer from product_counts where merchant_id = m.id) as merchant,
      (select coalesce(sum(products), 0)::integer from product_counts
        where merchant_id = m.id and store_id = ${store.id}) as store
    from merchants m where m.id = ${store.merchantId}`.execute(trx);
  const [found] = rows;
  if (found === undefined) return { free: 0, limit: 0 };
  const limit = found.limit;
  const ofStore = Math.min(limit, limits.perStore ?? limit);
  const [free, freeInStore] = [limit - found.merchant, ofStore - found.store];
  return free <= freeInStore ? { free, limit } : { free: freeInStore, limit: ofStore };
}

/** Counts products that were inserted. */
export async function countInserted(
  trx: DatabaseTransaction,
  store: { readonly id: string; readonly merchantId: string },
  products: number,
): Promise<void> {
  if (products === 0) return;
  await sql`
    insert into product_counts (merchant_id, store_id, products) values (${store.merchantId}, ${store.id}, ${products})
    on conflict (merchant_id, store_id) do update set products = product_counts.products + excluded.products`.execute(
    trx,
  );
}
