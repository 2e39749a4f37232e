import type { ProductFilter } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../platform/database/database.ts';
import type { ChangeKind } from '../../../platform/database/tables.ts';
import { CHANGED, type Followed } from '../changed-products.ts';
import type { ChangedProduct } from '../events.ts';
import { findProducts } from '../products/find-products.ts';
import type { Batch } from './apply-change.ts';

/** A change that hides, shows or deletes many products, or undoes such a change. */
export interface ActionChange {
  readonly kind: 'hide' | 'show' | 'delete' | 'restore';
  readonly id: string;
  readonly storeId: string;
  readonly merchantId: string;
  /** `null`: the products of the change that this one undoes. */
  readonly filter: ProductFilter | null;
  /** bigint, as text: the last product of a filter, in the order of creation. */
  readonly upTo: string | null;
  readonly undoes: string | null;
  /** When it was requested; also the time of deletion of its products. */
  readonly at: Date;
  /** Of the caller. */
  readonly keyId: string | null;
  /** It hides the products, and withdraws their certificates for good. */
  readonly withdraws: boolean | null;
  /** Why, as the caller states it. */
  readonly reason: string | null;
}

const ACTIONS: ReadonlySet<string> = new Set(['hide', 'show', 'delete', 'restore']);

export function isAction(change: { readonly kind: ChangeKind }): change is ActionChange {
  return ACTIONS.has(change.kind);
}

/** Products that an action is about from here on, as far as an index tells; `null`: they are found by words of their names. */
export async function countChosen(
  db: Database,
  { merchantId, storeId, filter, upTo }: ActionChange,
): Promise<number | null> {
  if (filter === null || filter.q !== undefined) return null;
  const standing = sql`product_standing(deleted_at, disabled, visible, host_known, slot_order)`;
  const state = filter.state === undefined ? sql`` : sql`and ${standing} = ${filter.state}`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from products
    where merchant_id = ${merchantId} and store_id = ${storeId} and deleted_at is null and created_order <= ${upTo} ${state}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** A product that a change concerns. */
export interface Chosen {
  readonly id: string;
  /** bigint, as text. */
  readonly createdOrder: string;
}

/** Applies the change to the next products after `from`, under the merchant's lock. */
export async function actOnBatch(
  trx: DatabaseTransaction,
  change: ActionChange,
  from: string,
  limit: number,
): Promise<Batch> {
  const chosen = await nextChosen(trx, change, from, limit);
  const acted = await actOn(
    trx,
    change,
    chosen.map(({ id }) => id),
  );
  return {
    read: chosen.length,
    readTo: chosen.length < limit ? null : (chosen.at(-1)?.createdOrder ?? null),
    ...acted,
  };
}

async function nextChosen(
  trx: DatabaseTransaction,
  { filter, storeId, merchantId, upTo, undoes }: ActionChange,
  from: string,
  limit: number,
): Promise<readonly Chosen[]> {
  if (filter === null) {
    const { rows } = await sql<Chosen>`
      select product_id as id, created_order as "createdOrder" from registry_change_products
      where merchant_id = ${merchantId} and change_id = ${undoes} and created_order > ${from} order by created_order limit ${limit}`.execute(
      trx,
    );
    return rows;
  }
  const found = await findProducts(trx, { id: storeId, merchantId }, { ...filter, after: from }, limit);
  return found.filter(({ createdOrder }) => upTo === null || BigInt(createdOrder) <= BigInt(upTo));
}

/** The condition under which a change affects a product, and the columns that it sets. */
function ruleOf({
  kind,
  at,
  undoes,
  merchantId,
  withdraws,
}: Pick<ActionChange, 'kind' | 'at' | 'undoes' | 'merchantId' | 'withdraws'>) {
  switch (kind) {
    case 'hide':
      // what is hidden already has certificates, too, which are valid again when it is shown
      if (withdraws === true)
        return {
          which: sql`deleted_at is null`,
          set: sql`visible = false, slot_order = null, kept_hidden_since = ${at}`,
        };
      return { which: sql`visible and deleted_at is null`, set: sql`visible = false, slot_order = null` };
    case 'show':
      // not what was withdrawn by hand after it was asked for, or after the hiding that is undone
      return {
        which: sql`not visible and deleted_at is null
          and (kept_hidden_since is null or (${undoes === null} and kept_hidden_since <= ${at}))`,
        set: sql`visible = true, kept_hidden_since = null`,
      };
    case 'delete':
      return { which: sql`deleted_at is null`, set: sql`deleted_at = ${at}, slot_order = null` };
    case 'restore':
      // a product that was deleted again since then stays deleted
      return {
        which: sql`deleted_at = (
          select created_at from registry_changes where merchant_id = ${merchantId} and id = ${undoes})`,
        set: sql`deleted_at = null`,
      };
  }
}

type Acted = Pick<Followed, 'changed' | 'changeId' | 'keyId' | 'withdrawn'> & Pick<Batch, 'released'>;

/**
 * Applies the change to those products that it alters, records them for undoing, and updates the counts of the change.
 *
 * @returns the changed products, and the number of released seats
 */
export async function actOn(
  trx: DatabaseTransaction,
  change: ActionChange,
  productIds: readonly string[],
): Promise<Acted> {
  if (productIds.length === 0) return { changed: [], released: 0 };
  const remembers = change.undoes === null && change.withdraws !== true;
  const { which, set } = ruleOf(change);
  // now(), because lists of changes are ordered by it
  const { rows } = await sql<ChangedProduct & { held: boolean; created_order: string }>`
    with wanted as materialized (
        select id, slot_order is not null as held from products
        where merchant_id = ${change.merchantId} and id = any(${productIds}::uuid[])
          and store_id = ${change.storeId} and ${which} order by id for update),
      acted as (
        update products p set ${set}, updated_at = now() from wanted w
        where p.merchant_id = ${change.merchantId} and p.id = w.id
        returning ${CHANGED}, p.created_order, w.held),
      remembered as (
        insert into registry_change_products (merchant_id, change_id, created_order, product_id)
        select ${change.merchantId}, ${change.id}, created_order, id from acted where ${remembers})
    select * from acted`.execute(trx);
  await sql`
    update registry_changes set changed = changed + ${rows.length}::integer,
      remembers = remembers or ${remembers && rows.length > 0}
    where merchant_id = ${change.merchantId} and id = ${change.id}`.execute(trx);
  const givesBack = change.kind === 'hide' || change.kind === 'delete';
  return {
    changed: rows,
    released: givesBack ? rows.filter(({ held }) => held).length : 0,
    changeId: change.id,
    keyId: change.keyId ?? undefined,
    ...(change.withdraws === true
      ? { withdrawn: { productIds: rows.map(({ id }) => id), reason: change.reason ?? undefined } }
      : {}),
  };
}
