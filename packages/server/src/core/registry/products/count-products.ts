import type { ProductCounts, ProductState } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Scope } from '../../../platform/http/access.ts';
import type { Registry } from '../context.ts';
import { findStore } from '../find-store.ts';

/** How many products of a store are in each state. */
export async function countProducts(
  registry: Registry,
  scope: Scope,
  storeId: string,
): Promise<ProductCounts> {
  const store = await findStore(registry.db, scope, storeId);
  const { rows } = await sql<{ state: ProductState; count: number }>`
    select case when m.paused and p.standing in ('active', 'no_slot') then 'paused' else p.standing end as state,
      sum(p.count)::integer as count
    from (select product_standing(deleted_at, disabled, visible, host_known, slot_order) as standing, count(*) as count
      from products
      where merchant_id = ${store.merchantId} and store_id = ${store.id} group by 1) p, merchants m
    where m.id = ${store.merchantId} group by 1`.execute(registry.db);
  const states = { active: 0, hidden: 0, host_lost: 0, paused: 0, no_slot: 0, disabled: 0, deleted: 0 };
  for (const { state, count } of rows) states[state] = count;
  return { total: rows.reduce((sum, { count }) => sum + count, 0) - states.deleted, states };
}
