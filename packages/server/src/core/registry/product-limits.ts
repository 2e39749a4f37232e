import { type RawBuilder, sql } from 'kysely';

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

/** The limit of a merchant, and how many products it and one of its stores have. */
export interface ProductCounts {
  readonly limit: number;
  readonly ofMerchant: number;
  readonly ofStore: number;
}

/** Columns with the counts of a row `s` of `stores`, joined with `merchants`; subqueries name the merchant, or ask every shard. */
export const countColumns = (merchantId: string, limits?: ProductLimits): RawBuilder<unknown> => sql`
  ${limitOfMerchant(limits)} as "limit",
  (select coalesce(sum(products), 0)::integer from product_counts where merchant_id = ${merchantId}) as "ofMerchant",
  (select coalesce(sum(products), 0)::integer from product_counts
    where merchant_id = ${merchantId} and store_id = s.id) as "ofStore"`;

/** How many products may be added to a store, and the limit that says so. */
export function roomOf(
  counts: ProductCounts,
  limits: ProductLimits = DEFAULT_LIMITS,
): { readonly free: number; readonly limit: number } {
  const { limit } = counts;
  const ofStore = Math.min(limit, limits.perStore ?? limit);
  const [free, freeInStore] = [limit - counts.ofMerchant, ofStore - counts.ofStore];
  return free <= freeInStore ? { free, limit } : { free: freeInStore, limit: ofStore };
}
