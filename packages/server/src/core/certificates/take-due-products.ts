import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import type { StoreKey } from '../registry/find-store.ts';

/** Seconds after which an unfinished product may be taken again: the process that took it has died without releasing it. */
const TAKEN_FOR = 60;

/** A batch of products of one store. */
export interface TakenProducts {
  readonly store: StoreKey;
  /** Results are recorded only for rows that still carry it. */
  readonly token: string;
  readonly productIds: readonly string[];
}

/**
 * Takes up to `count` products of a store whose certificates are due: first those signed with a revoked key, then those that
 * changed, then those to be renewed, then the next ones of a visit of the whole store. An index serves each of the four.
 *
 * @param lease - of the job that takes them
 * @returns `null` when there is nothing to take
 */
export async function takeDue(
  db: Database,
  store: StoreKey,
  count: number,
  now: Date,
  lease?: string,
): Promise<TakenProducts | null> {
  const token = randomUUID();
  const taker = { token, lease: lease ?? null };
  return inTransaction(db, async (trx) => {
    // nothing is lost in a crash: a product that is taken is still due
    await sql`set local synchronous_commit = off`.execute(trx);
    const visit = await trx
      .selectFrom('certificate_stores')
      .select(['visit_after', 'visit_total', 'idle'])
      .where('merchant_id', '=', store.merchantId)
      .where('store_id', '=', store.id)
      .forUpdate()
      .executeTakeFirst();
    if (visit === undefined) return null;
    const productIds: string[] = [];
    const left = () => count - productIds.length;
    const add = async (which: (limit: number) => RawBuilder<unknown>) => {
      if (left() > 0) productIds.push(...(await addDue(trx, which(left()), store, taker)));
    };
    // of local and distributed tables together PostgreSQL's distributed engines join few
    const revoked = await trx
      .selectFrom('signing_keys')
      .select('kid')
      .where('revoked_at', 'is not', null)
      .execute();
    for (const { kid } of revoked) await add((limit) => SIGNED_BY(kid, store, limit));
    if (left() > 0) productIds.push(...(await takeChanged(trx, store, left(), taker)));
    await add((limit) => RENEWED(store, limit, now));
    if (visit.visit_after !== null && left() > 0)
      productIds.push(...(await takeVisited(trx, store, left(), taker, visit)));
    if (productIds.length > 0 && visit.idle)
      await trx
        .updateTable('certificate_stores')
        .set({ idle: false, busy_since: sql<Date>`now()`, done: 0, per_second: 0, done_at: null })
        .where('merchant_id', '=', store.merchantId)
        .where('store_id', '=', store.id)
        .execute();
    return productIds.length === 0 ? null : { store, token, productIds };
  });
}

interface Taker {
  readonly token: string;
  readonly lease: string | null;
}

/**
 * Row comparison and the order of `certificate_lines_by_key` force the use of that index: since nearly all lines have the same
 * key, the planner expects any scan to find enough matches early, and would read a million rows to find that there are none.
 */
const SIGNED_BY = (kid: string, { id, merchantId }: StoreKey, limit: number) => sql`
  select product_id from certificate_lines l
  where kid is not null and merchant_id = ${merchantId} and (kid, store_id) >= (${kid}, ${id}::uuid)
    and (kid, store_id) <= (${kid}, ${id}::uuid) and ${IS_NOT_DUE}
  order by kid, store_id limit ${sql.lit(limit)}`;

const RENEWED = ({ id, merchantId }: StoreKey, limit: number, now: Date) => sql`
  select product_id from certificate_lines l
  where merchant_id = ${merchantId} and store_id = ${id} and renew_at <= ${now} and ${IS_NOT_DUE}
  order by renew_at limit ${sql.lit(limit)}`;

/**
 * `offset 0` makes this a lookup per row: a join would read both tables in full to find a few rows. The limits of these queries
 * are literals, because a plan for an unknown limit is costed for many rows and would be JIT-compiled.
 */
const IS_NOT_DUE = sql`not exists (
  select from certificate_due d where d.merchant_id = l.merchant_id and d.product_id = l.product_id offset 0)`;

/** Skips products that have become due in the meantime: they are taken by the process that marked them. */
async function addDue(
  trx: DatabaseTransaction,
  which: RawBuilder<unknown>,
  { id, merchantId }: StoreKey,
  { token, lease }: Taker,
): Promise<string[]> {
  const { rows } = await sql<{ product_id: string }>`
    insert into certificate_due (merchant_id, product_id, store_id, due_at, taken, taken_at, taken_by)
      select ${merchantId}, product_id, ${id}, now(), ${token}, now(), ${lease} from (${which}) found order by product_id
    on conflict (merchant_id, product_id) do nothing returning product_id`.execute(trx);
  return rows.map(({ product_id }) => product_id);
}

async function takeChanged(
  trx: DatabaseTransaction,
  { id, merchantId }: StoreKey,
  limit: number,
  { token, lease }: Taker,
): Promise<string[]> {
  const { rows } = await sql<{ product_id: string }>`
    update certificate_due set taken = ${token}, taken_at = now(), taken_by = ${lease}
    where merchant_id = ${merchantId} and product_id = any(array(
      select product_id from certificate_due
      where merchant_id = ${merchantId} and store_id = ${id} and due_at <= now()
        and (taken is null or taken_at < now() - make_interval(secs => ${TAKEN_FOR}))
      order by due_at limit ${limit} for update skip locked))
    returning product_id`.execute(trx);
  return rows.map(({ product_id }) => product_id);
}

/**
 * The next products of a visit of the whole store; deleted ones were dealt with when they were deleted. The position is recorded
 * in the same transaction, so that an interrupted visit resumes where it stopped.
 */
async function takeVisited(
  trx: DatabaseTransaction,
  store: StoreKey,
  limit: number,
  taker: Taker,
  visit: { readonly visit_after: string | null; readonly visit_total: number | null },
): Promise<string[]> {
  const { rows } = await sql<{ id: string; created_order: string }>`
    select id, created_order from products
    where merchant_id = ${store.merchantId} and store_id = ${store.id} and created_order > ${visit.visit_after}
      and deleted_at is null
    order by created_order limit ${limit}`.execute(trx);
  const ids = rows.map(({ id }) => id);
  const total =
    visit.visit_total ??
    (await trx
      .selectFrom('products')
      .select(sql<number>`count(*)::integer`.as('count'))
      .where('merchant_id', '=', store.merchantId)
      .where('store_id', '=', store.id)
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
    .where('merchant_id', '=', store.merchantId)
    .where('store_id', '=', store.id)
    .execute();
  return addDue(trx, sql`select unnest(${ids}::uuid[]) as product_id`, store, taker);
}
