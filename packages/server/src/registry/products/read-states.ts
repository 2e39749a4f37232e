import type { ProductState } from '@touchstone/contract';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { productState, type StateFacts } from '../product-state.ts';

/** The state that each of these products is in, by id. */
export async function readStates(
  trx: DatabaseTransaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ProductState>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<StateFacts & { readonly id: string }>`
    select p.id, p.visible, p.disabled, p.deleted_at, p.host_known, p.slot_order, m.paused
    from products p join merchants m on m.id = p.merchant_id
    where p.id = any(${ids}::uuid[])`.execute(trx);
  return new Map(rows.map((row) => [row.id, productState(row)]));
}
