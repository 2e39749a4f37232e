import { randomUUID } from 'node:crypto';
import { PROOF_LIFETIME } from '@touchstone/certificate';
import { type RawBuilder, sql } from 'kysely';
import { type Database, type DatabaseTransaction, inTransaction } from '../platform/database/database.ts';
import type { JobFailure } from '../platform/database/tables.ts';
import { MOST_AHEAD } from './proof-table.ts';

/**
 * Seconds after which a product that was taken and not done with may be taken by others: whoever took it has ended, and
 * nobody was told.
 */
const TAKEN_FOR = 60;

/** Products ordered by one statement. */
const DATED_AHEAD_AT_ONCE = 10_000;

/** Products of one store that are looked at together. */
export interface TakenProducts {
  readonly storeId: string;
  /** What is recorded counts while the row still bears it. */
  readonly token: string;
  readonly productIds: readonly string[];
}

/**
 * Takes up to so many products of a store whose certificate has to be looked at: those of a revoked key first, then those
 * that changed, then those to be renewed, then those of a visit of all. Each of these is found by an index.
 *
 * @param lease - of the job that takes them
 * @returns `null` when there is nothing to take
 */
export async function takeDue(
  db: Database,
  storeId: string,
  count: number,
  now: Date,
  lease?: string,
): Promise<TakenProducts | null> {
  const token = randomUUID();
  const taker = { token, lease: lease ?? null };
  return inTransaction(db, async (trx) => {
    // nothing is lost when the machine stops: what is taken is due still
    await sql`set local synchronous_commit = off`.execute(trx);
    const visit = await trx
      .selectFrom('certificate_stores')
      .select(['visit_after', 'visit_total', 'idle'])
      .where('store_id', '=', storeId)
      .forUpdate()
      .executeTakeFirst();
    if (visit === undefined) return null;
    const productIds: string[] = [];
    const left = () => count - productIds.length;
    const add = async (which: (limit: number) => RawBuilder<unknown>) => {
      if (left() > 0) productIds.push(...(await addDue(trx, which(left()), storeId, taker)));
    };
    await add((limit) => REVOKED(storeId, limit));
    if (left() > 0) productIds.push(...(await takeChanged(trx, storeId, left(), taker)));
    await add((limit) => RENEWED(storeId, limit, now));
    if (visit.visit_after !== null && left() > 0)
      productIds.push(...(await takeVisited(trx, storeId, left(), taker, visit)));
    if (productIds.length > 0 && visit.idle)
      await trx
        .updateTable('certificate_stores')
        .set({ idle: false, busy_since: sql<Date>`now()`, done: 0, per_second: 0, done_at: null })
        .where('store_id', '=', storeId)
        .execute();
    return productIds.length === 0 ? null : { storeId, token, productIds };
  });
}

interface Taker {
  readonly token: string;
  readonly lease: string | null;
}

/**
 * Rows are compared as a whole and taken in the order of `certificate_lines_by_key`: as all lines are of one key, the planner
 * expects to meet enough of any key at once wherever it looks, and would read a million to find that there are none.
 */
const REVOKED = (storeId: string, limit: number) => sql`
  select line.product_id from signing_keys revoked cross join lateral (
    select product_id from certificate_lines l
    where kid is not null and (kid, store_id) >= (revoked.kid, ${storeId}::uuid)
      and (kid, store_id) <= (revoked.kid, ${storeId}::uuid) and ${IS_NOT_DUE}
    order by kid, store_id limit ${sql.lit(limit)}) line
  where revoked.revoked_at is not null limit ${sql.lit(limit)}`;

const RENEWED = (storeId: string, limit: number, now: Date) => sql`
  select product_id from certificate_lines l
  where store_id = ${storeId} and renew_at <= ${now} and ${IS_NOT_DUE}
  order by renew_at limit ${sql.lit(limit)}`;

/**
 * Looked up line by line (`offset 0`): joined, both tables would be read as a whole to find a few. Limits are written out beside
 * it, since a plan for any limit would count as one for many rows, and be compiled (`jit`).
 */
const IS_NOT_DUE = sql`not exists (
  select from certificate_due d where d.product_id = l.product_id offset 0)`;

/** Nobody else's: what others make due meanwhile is left to them. */
async function addDue(
  trx: DatabaseTransaction,
  which: RawBuilder<unknown>,
  storeId: string,
  { token, lease }: Taker,
): Promise<string[]> {
  const { rows } = await sql<{ product_id: string }>`
    insert into certificate_due (product_id, store_id, taken, taken_at, taken_by)
      select product_id, ${storeId}, ${token}, now(), ${lease} from (${which}) found order by product_id
    on conflict (product_id) do nothing returning product_id`.execute(trx);
  return rows.map(({ product_id }) => product_id);
}

async function takeChanged(
  trx: DatabaseTransaction,
  storeId: string,
  limit: number,
  { token, lease }: Taker,
): Promise<string[]> {
  const { rows } = await sql<{ product_id: string }>`
    update certificate_due set taken = ${token}, taken_at = now(), taken_by = ${lease} where product_id = any(array(
      select product_id from certificate_due
      where store_id = ${storeId} and due_at <= now()
        and (taken is null or taken_at < now() - make_interval(secs => ${TAKEN_FOR}))
      order by due_at limit ${limit} for update skip locked))
    returning product_id`.execute(trx);
  return rows.map(({ product_id }) => product_id);
}

/** The next of all products of the store (those that are deleted were seen to when they were); the place is recorded with them, so that a visit goes on where it was. */
async function takeVisited(
  trx: DatabaseTransaction,
  storeId: string,
  limit: number,
  taker: Taker,
  visit: { readonly visit_after: string | null; readonly visit_total: number | null },
): Promise<string[]> {
  const { rows } = await sql<{ id: string; created_order: string }>`
    select id, created_order from products where store_id = ${storeId} and created_order > ${visit.visit_after}
      and deleted_at is null
    order by created_order limit ${limit}`.execute(trx);
  const ids = rows.map(({ id }) => id);
  const total =
    visit.visit_total ??
    (await trx
      .selectFrom('products')
      .select(sql<number>`count(*)::integer`.as('count'))
      .where('store_id', '=', storeId)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
      .then(({ count }) => count));
  await trx
    .updateTable('certificate_stores')
    .set({
      visit_after: rows.length < limit ? null : (rows.at(-1)?.created_order ?? null),
      visit_total: total,
      visited: sql<number>`visited + ${rows.length}::integer`,
    })
    .where('store_id', '=', storeId)
    .execute();
  return addDue(trx, sql`select unnest(${ids}::uuid[]) as product_id`, storeId, taker);
}

/**
 * Orders certificates anew whose proofs are dated ahead, from before the clock was set back: nobody who judges them by the
 * right time takes them. A part of them at a time.
 */
export async function orderDatedAhead(db: Database, now: Date): Promise<void> {
  const latest = new Date(now.getTime() + PROOF_LIFETIME * 1000 + MOST_AHEAD);
  await sql`
    with ahead as (
      select l.product_id, l.store_id from proofs p
      join certificate_lines l on l.product_id = p.subject_id and l.proof_id = p.id
      where p.expires_at > ${latest} and not exists (select from certificate_due d where d.product_id = l.product_id)
      limit ${DATED_AHEAD_AT_ONCE}
    )
    select order_certificates(
      array_agg(product_id order by product_id), array_agg(store_id order by product_id), now())
    from ahead having count(*) > 0`.execute(db);
}

/** Those that are still as they were when they were taken are not due any more. Locks of others are not waited for. */
export async function settleDue(
  trx: DatabaseTransaction,
  { token }: TakenProducts,
  productIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ product_id: string }>`
    delete from certificate_due where product_id = any(array(
      select product_id from certificate_due where product_id = any(${productIds}::uuid[]) and taken = ${token}
      for update skip locked))
    returning product_id`.execute(trx);
  return new Set(rows.map(({ product_id }) => product_id));
}

/** Gives back what was not looked at, for anyone to take. */
export async function giveBackDue(db: Database, { token, productIds }: TakenProducts): Promise<void> {
  await sql`
    update certificate_due set taken = null, taken_at = null
    where product_id = any(${productIds}::uuid[]) and taken = ${token}`.execute(db);
}

/** Frees what earlier runs of a store's job took: there is one at a time, so they have ended in the middle. */
export async function freeFormer(db: Database, storeId: string, lease: string): Promise<void> {
  await sql`
    update certificate_due set taken = null, taken_at = null, taken_by = null
    where store_id = ${storeId} and taken_by <> ${lease}`.execute(db);
}

/** Seconds until a product that failed is looked at again, by how often it has failed. */
const PATIENCE = { first: 60, doublings: 8 };

/** Puts off products whose certificates could not be made, so that they keep no others waiting. */
export async function putOffDue(
  db: Database,
  { token }: TakenProducts,
  failed: readonly { readonly productId: string; readonly failure: Omit<JobFailure, 'attempts'> }[],
): Promise<void> {
  await sql`
    update certificate_due d set taken = null, taken_at = null,
      due_at = now() + make_interval(secs => ${PATIENCE.first}::float8
        * power(2, least(coalesce((d.failure->>'attempts')::int, 0), ${PATIENCE.doublings}::integer))),
      failure = failed.failure || jsonb_build_object('attempts', coalesce((d.failure->>'attempts')::int, 0) + 1)
    from unnest(${failed.map(({ productId }) => productId)}::uuid[],
                ${failed.map(({ failure }) => JSON.stringify(failure))}::jsonb[]) as failed (product_id, failure)
    where d.product_id = failed.product_id and d.taken = ${token}`.execute(db);
}
