import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts';
import { CHANGED, changedBy } from './changed-products.ts';
import type { ChangedProduct } from './events.ts';

/** A merchant whose row is locked by this transaction, so that no other changes its seats. */
export interface LockedMerchant {
  readonly id: string;
  readonly name: string;
  readonly planCapacity: number;
  readonly paused: boolean;
  readonly slotsHeld: number;
  /** A large change is still in progress; it assigns the seats at its end (`changes/`). */
  readonly seatsUnsettled: boolean;
}

/**
 * Locks the rows of merchants one by one in the order of their ids, so that no deadlock occurs. Every change of a merchant's products,
 * domains or seats happens under this lock.
 */
export async function lockMerchants(
  trx: DatabaseTransaction,
  ids: readonly string[],
): Promise<LockedMerchant[]> {
  const locked: LockedMerchant[] = [];
  for (const id of [...new Set(ids)].toSorted()) {
    const merchant = await lockMerchant(trx, id);
    if (merchant !== undefined) locked.push(merchant);
  }
  return locked;
}

/** The same for one merchant. */
export function lockMerchant(trx: DatabaseTransaction, id: string): Promise<LockedMerchant | undefined> {
  return trx
    .selectFrom('merchants')
    .select(['id', 'name', 'plan_capacity as planCapacity', 'paused', 'slots_held as slotsHeld'])
    .select('seats_unsettled as seatsUnsettled')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** May hold a seat: every condition of "active" except the seat itself and the merchant's pause. */
const ELIGIBLE = sql<boolean>`(visible and not disabled and deleted_at is null and host_known)`;
const WAITING = sql<boolean>`slot_order is null and ${ELIGIBLE}`;

/** Seats assigned or released by one statement; larger changes run in batches (`changes/`). */
const MOVES_AT_ONCE = 10_000;

/**
 * Updates the seats of a locked merchant's plan (columns `slot_…`) after its products changed. Those that may no longer hold a seat
 * lose theirs; above the capacity the newest lose theirs first; free seats go to the products that have waited
 * longest. Otherwise a product keeps its seat until it changes itself, so that changes of other products do not affect its
 * certificate. Returns the products whose seat was assigned or released.
 *
 * While a large change is in progress, seats are only released; that change assigns them at its end. Pausing a merchant
 * affects no seats.
 *
 * @param merchant - with the number of seats held now
 */
export async function settleSeats(
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
  changed: readonly ChangedProduct[],
): Promise<readonly ChangedProduct[]> {
  const ended = changed.filter(({ was, is }) => was !== null && is !== 'active' && is !== 'no_slot');
  const released = ended.length === 0 ? [] : await releaseSeats(trx, merchant.id, ended);
  const slotsHeld = merchant.slotsHeld - released.length;
  const moves = merchant.seatsUnsettled ? NO_MOVES : await movesOf(trx, { ...merchant, slotsHeld });
  await countSeats(trx, merchant.id, moves.more - released.length);
  return [...released, ...moves.changed];
}

const releaseSeats = (trx: DatabaseTransaction, merchantId: string, products: readonly ChangedProduct[]) =>
  changedBy(
    trx,
    sql`update products p set slot_order = null
      where merchant_id = ${merchantId} and id = any(${products.map(({ id }) => id)}::uuid[])
        and slot_order is not null and not ${ELIGIBLE}
      returning ${CHANGED}`,
  );

/**
 * Reserves up to `wanted` seats of a locked merchant for products that are about to be inserted, and returns how many: the free ones, or
 * none while another product waits. Inserting a row with its seat costs half as much as assigning the seat afterwards, which
 * rewrites the row and its entries in all indexes. The caller draws the numbers for `slot_order`.
 */
export async function bookSeats(
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
  wanted: number,
): Promise<number> {
  const booked = Math.min(merchant.planCapacity - merchant.slotsHeld, wanted);
  if (booked <= 0 || merchant.seatsUnsettled) return 0;
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

/** Releases seats above the capacity of a locked merchant, or assigns free ones, up to `limit`. Returns the products concerned. */
export async function moveSeats(
  trx: DatabaseTransaction,
  merchantId: string,
  limit: number = MOVES_AT_ONCE,
): Promise<readonly ChangedProduct[]> {
  const seats = await trx
    .selectFrom('merchants')
    .select(['id', 'slots_held as slotsHeld', 'plan_capacity as planCapacity'])
    .where('id', '=', merchantId)
    .executeTakeFirstOrThrow();
  return moveSeatsOf(trx, seats, { limit });
}

/** The same where it is known how many seats are held now, and perhaps who waits for one. */
export async function moveSeatsOf(
  trx: DatabaseTransaction,
  seats: Seats,
  options: MoveOptions,
): Promise<readonly ChangedProduct[]> {
  const { changed, more } = await movesOf(trx, seats, options);
  await countSeats(trx, seats.id, more);
  return changed;
}

type Seats = Pick<LockedMerchant, 'id' | 'slotsHeld' | 'planCapacity'>;

/** Products whose seat was moved, and how many more seats are held, which is not counted yet. */
interface Moves {
  readonly changed: readonly ChangedProduct[];
  readonly more: number;
}
const NO_MOVES: Moves = { changed: [], more: 0 };

interface MoveOptions {
  readonly limit?: number;
  /** As `oldestWaiting` found them. */
  readonly waiting?: readonly string[];
}

async function movesOf(
  trx: DatabaseTransaction,
  { id, slotsHeld, planCapacity }: Seats,
  { limit = MOVES_AT_ONCE, waiting }: MoveOptions = {},
): Promise<Moves> {
  const free = planCapacity - slotsHeld;
  if (free === 0) return NO_MOVES;
  if (free < 0) {
    const lost = await takeNewest(trx, id, Math.min(-free, limit));
    return { changed: lost, more: -lost.length };
  }
  const oldest = waiting ?? (await oldestWaiting(trx, id, Math.min(free, limit)));
  const granted = oldest.length === 0 ? [] : await giveSeats(trx, id, oldest);
  return { changed: granted, more: granted.length };
}

/** Adds to the recorded number of held seats (negative: subtracts). */
export async function countSeats(trx: DatabaseTransaction, merchantId: string, more: number): Promise<void> {
  if (more === 0) return;
  await sql`update merchants set slots_held = slots_held + ${more} where id = ${merchantId}`.execute(trx);
}

/** Products that wait for a seat, counted up to `most`. */
export async function countWaiting(
  trx: Database | DatabaseTransaction,
  merchantId: string,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from products where merchant_id = ${merchantId} and ${WAITING} limit ${most}) waiting`.execute(
    trx,
  );
  return rows[0]?.count ?? 0;
}

// ids first, then the rows by their keys: with a join the planner may read the whole table

async function takeNewest(
  trx: DatabaseTransaction,
  merchantId: string,
  count: number,
): Promise<readonly ChangedProduct[]> {
  return changedBy(
    trx,
    sql`update products p set slot_order = null
      where merchant_id = ${merchantId} and id = any(array(
        select id from products where merchant_id = ${merchantId} and slot_order is not null
        order by slot_order desc limit ${count})) returning ${CHANGED}`,
  );
}

/** Products that wait for a seat, the oldest first. */
export async function oldestWaiting(
  trx: DatabaseTransaction,
  merchantId: string,
  most: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products where merchant_id = ${merchantId} and ${WAITING}
    order by created_order limit ${most}`.execute(trx);
  return rows.map(({ id }) => id);
}

async function giveSeats(
  trx: DatabaseTransaction,
  merchantId: string,
  oldest: readonly string[],
): Promise<readonly ChangedProduct[]> {
  // materialized: the numbers are drawn in the order of creation
  return changedBy(
    trx,
    sql`
    with numbered as materialized (
      select id, nextval('slot_order') as number
      from (select id from unnest(${oldest}::uuid[]) with ordinality as oldest (id, nth) order by nth) oldest)
    update products p set slot_order = numbered.number from numbered
    where p.merchant_id = ${merchantId} and p.id = numbered.id returning ${CHANGED}`,
  );
}
