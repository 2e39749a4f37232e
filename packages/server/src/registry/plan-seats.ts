import { type RawBuilder, sql } from 'kysely';
import type { DatabaseTransaction } from '../platform/database/database.ts';
import { changeProducts, inBatches } from './product-batches.ts';

/** A merchant whose row this transaction holds: nobody else changes its seats meanwhile. */
export interface LockedMerchant {
  readonly id: string;
  readonly name: string;
  readonly planCapacity: number;
  readonly paused: boolean;
}

/**
 * Takes the row locks of merchants, in the order of their ids, so that no two transactions wait for each
 * other. Whatever changes products, domains or seats of a merchant does it under this lock.
 */
export function lockMerchants(trx: DatabaseTransaction, ids: readonly string[]): Promise<LockedMerchant[]> {
  return trx
    .selectFrom('merchants')
    .select(['id', 'name', 'plan_capacity as planCapacity', 'paused'])
    .where('id', 'in', [...new Set(ids)])
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** May hold a seat: all of "active" but the seat itself and the merchant's pause. */
const ELIGIBLE = sql<boolean>`(visible and not disabled and deleted_at is null and host_known)`;

/**
 * Brings the seats of a locked merchant's plan (columns `slot_…`) in order after its products or its capacity changed:
 * products among `touched` that may hold none any more give theirs back; above capacity the newest lose first; free
 * ones go to the products that wait longest. A seat is held until something happens to the product itself, so that
 * nobody's certificates come and go with what others do. Answers the ids of products whose seat came or went.
 *
 * The merchant's pause neither takes nor gives seats.
 */
export async function settleSeats(
  trx: DatabaseTransaction,
  merchant: { readonly id: string; readonly planCapacity: number },
  touched: RawBuilder<boolean>,
): Promise<string[]> {
  const released = await changeProducts(
    trx,
    sql`slot_order = null`,
    sql`merchant_id = ${merchant.id} and slot_order is not null and not ${ELIGIBLE} and ${touched}`,
  );
  const before = await seatsHeld(trx, merchant.id);
  const held = before - released.length;
  const lost =
    held > merchant.planCapacity ? await takeNewest(trx, merchant, held - merchant.planCapacity) : [];
  const free = merchant.planCapacity - (held - lost.length);
  const granted = free > 0 ? await giveToOldest(trx, merchant, free) : [];
  const after = held - lost.length + granted.length;
  if (after !== before) {
    await trx.updateTable('merchants').set({ slots_held: after }).where('id', '=', merchant.id).execute();
  }
  return [...released, ...lost, ...granted];
}

/**
 * Books up to `wanted` seats of a locked merchant for products that are about to be inserted, and answers how many: what is
 * free, and nothing while another product waits. Giving a seat with the row costs half of what giving it afterwards does,
 * which writes the row and its entries in all indexes again. Numbers for `slot_order` are drawn by the caller.
 */
export async function bookSeats(
  trx: DatabaseTransaction,
  merchant: { readonly id: string; readonly planCapacity: number },
  wanted: number,
): Promise<number> {
  const free = merchant.planCapacity - (await seatsHeld(trx, merchant.id));
  const booked = Math.min(free, wanted);
  if (booked <= 0) return 0;
  const { numUpdatedRows } = await trx
    .updateTable('merchants')
    .set((eb) => ({ slots_held: eb('slots_held', '+', booked) }))
    .where('id', '=', merchant.id)
    .where(
      sql<boolean>`not exists (select from products
        where merchant_id = ${merchant.id} and slot_order is null and ${ELIGIBLE})`,
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n ? booked : 0;
}

async function seatsHeld(trx: DatabaseTransaction, merchantId: string): Promise<number> {
  const row = await trx
    .selectFrom('merchants')
    .select('slots_held')
    .where('id', '=', merchantId)
    .executeTakeFirstOrThrow();
  return row.slots_held;
}

function takeNewest(trx: DatabaseTransaction, merchant: { id: string }, count: number): Promise<string[]> {
  return inBatches(
    trx,
    count,
    (limit) => sql`
        update products set slot_order = null where id in (
          select id from products where merchant_id = ${merchant.id} and slot_order is not null
          order by slot_order desc limit ${limit})
        returning id`,
  );
}

function giveToOldest(trx: DatabaseTransaction, merchant: { id: string }, count: number): Promise<string[]> {
  // materialized: the numbers are drawn in the order of creation
  return inBatches(
    trx,
    count,
    (limit) => sql`
        with waiting as materialized (
          select id from products
          where merchant_id = ${merchant.id} and slot_order is null and ${ELIGIBLE}
          order by created_order limit ${limit}),
        numbered as materialized (select id, nextval('slot_order') as number from waiting)
        update products p set slot_order = numbered.number from numbered where p.id = numbered.id
        returning p.id`,
  );
}
