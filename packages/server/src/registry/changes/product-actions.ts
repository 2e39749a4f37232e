import { randomUUID } from 'node:crypto';
import type { ProductAction, ProductFilter, RegistryChange } from '@touchstone/contract';
import { sql } from 'kysely';
import { type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import { inScope, type Scope } from '../../platform/http/access.ts';
import { orderJob } from '../../platform/jobs/order-jobs.ts';
import { productChanges, type Registry } from '../context.ts';
import { findStore, lockStore } from '../find-store.ts';
import { countSeats, type LockedMerchant, settleSeats } from '../plan-seats.ts';
import { findProducts } from '../products/find-products.ts';
import { type ActionChange, actOn } from './act-on-batch.ts';
import { deleteOldChanges, productsAtOnce, REGISTRY_CHANGES } from './make-change.ts';
import { toChange, UNDOABLE } from './read-changes.ts';

/**
 * Hides, shows or deletes the products that are named, or those of a filter: few here and now, many batch by batch. Throws
 * `store_unknown`.
 *
 * @param keyId - of the caller, for the activity
 */
export async function actOnProducts(
  registry: Registry,
  scope: Scope,
  storeId: string,
  { action, productIds, filter }: ProductAction,
  keyId?: string,
): Promise<RegistryChange> {
  const { merchantId, id } = await findStore(registry.db, scope, storeId);
  return inMerchant(registry, merchantId, id, async (trx, merchant) => {
    const chosenHow = { kind: action, storeId: id, merchantId, filter: filter ?? null };
    const change = changeOf(registry, { ...chosenHow, keyId });
    const most = productsAtOnce(registry);
    const chosen = productIds ?? (await chosenBy(trx, change, most));
    return chosen === null ? follow(trx, merchant, change) : atOnce(trx, merchant, change, chosen);
  });
}

const INVERSE = { hide: 'show', show: 'hide', delete: 'restore' } as const;

/** Undoes a change of many products. Throws `change_unknown`, and `conflict` for one that cannot be undone. */
export async function undoChange(
  registry: Registry,
  scope: Scope,
  changeId: string,
  keyId?: string,
): Promise<RegistryChange> {
  const { db } = registry;
  const found = await readChange(db, changeId);
  if (found === undefined || !inScope(scope, found.merchant_id)) throw new ServiceError('change_unknown');
  if (found.store_id === null) throw notUndoable();
  return inMerchant(registry, found.merchant_id, found.store_id, async (trx, merchant) => {
    // read again under the lock: it may have been undone or have progressed meanwhile
    const row = await readChange(trx, changeId);
    if (row === undefined) throw new ServiceError('change_unknown');
    if (row.undone_by !== null) return { id: row.undone_by, changed: [] };
    const kind = row.kind in INVERSE ? INVERSE[row.kind as keyof typeof INVERSE] : undefined;
    const isLate = registry.clock().getTime() > row.created_at.getTime() + UNDOABLE;
    if (kind === undefined || row.undoes !== null || row.store_id === null || isLate) throw notUndoable();
    const { store_id: storeId, merchant_id: merchantId } = row;
    const change = changeOf(registry, { kind, storeId, merchantId, filter: null, undoes: row.id, keyId });
    await trx
      .updateTable('registry_changes')
      .set({ undone_by: change.id, read_to: null, finished_at: row.finished_at ?? registry.clock() })
      .set((eb) => ({ total: eb.fn.coalesce('total', 'done') }))
      .where('id', '=', row.id)
      .execute();
    if (row.changed > productsAtOnce(registry)) return follow(trx, merchant, change, row.changed);
    const { rows } = await sql<{ id: string }>`
      select product_id as id from registry_change_products where change_id = ${row.id}`.execute(trx);
    return atOnce(
      trx,
      merchant,
      change,
      rows.map(({ id }) => id),
    );
  });
}

const notUndoable = () =>
  new ServiceError('conflict', {
    message: 'Only a hide, show or delete of the last 7 days can be undone, and an undoing cannot.',
  });

const readChange = (db: Registry['db'] | DatabaseTransaction, id: string) =>
  db.selectFrom('registry_changes').selectAll().where('id', '=', id).executeTakeFirst();

/** What was done at once, and which products it changed. */
interface Done {
  /** Of the change. */
  readonly id: string;
  readonly changed: readonly string[];
}

/** Runs `work` under the merchant's lock, announces what it changed, and returns the change. */
async function inMerchant(
  registry: Registry,
  merchantId: string,
  storeId: string,
  work: (trx: DatabaseTransaction, merchant: LockedMerchant) => Promise<Done>,
): Promise<RegistryChange> {
  const { id, changed } = await inTransaction(registry.db, async (trx) => {
    const { merchant } = await lockStore(trx, merchantId, storeId);
    await deleteOldChanges(trx, merchantId, registry.clock());
    return work(trx, merchant);
  });
  if (changed.length > 0) registry.onChange(productChanges(changed));
  const row = await readChange(registry.db, id);
  if (row === undefined) throw new ServiceError('change_unknown');
  return toChange(row);
}

type NewAction = Pick<ActionChange, 'kind' | 'storeId' | 'merchantId' | 'filter'> & {
  readonly undoes?: string;
  readonly keyId: string | undefined;
};

/** A change to be recorded. */
interface Recorded extends ActionChange {
  readonly keyId: string | null;
}

const changeOf = ({ clock }: Registry, { undoes, keyId, ...change }: NewAction): Recorded => ({
  ...change,
  id: randomUUID(),
  upTo: null,
  undoes: undoes ?? null,
  keyId: keyId ?? null,
  at: clock(),
});

/** The products of a filter if they are few; `null`: there are more. */
async function chosenBy(
  trx: DatabaseTransaction,
  { storeId, merchantId, filter }: ActionChange,
  most: number,
): Promise<string[] | null> {
  const found = await findProducts(trx, { id: storeId, merchantId }, filter as ProductFilter, most + 1);
  return found.length > most ? null : found.map(({ id }) => id);
}

async function atOnce(
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
  change: Recorded,
  productIds: readonly string[],
): Promise<Done> {
  await insert(trx, change, { done: productIds.length, finishedAt: change.at });
  const { changed, released } = await actOn(trx, change, productIds);
  await countSeats(trx, merchant.id, -released);
  return { id: change.id, changed: [...changed, ...(await settleSeats(trx, merchant, changed))] };
}

/** Records a change with its job (`run-changes.ts`). */
async function follow(
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
  change: Recorded,
  total?: number,
): Promise<Done> {
  if (!merchant.seatsUnsettled)
    await trx.updateTable('merchants').set({ seats_unsettled: true }).where('id', '=', merchant.id).execute();
  await insert(trx, change, { done: 0, finishedAt: null, total });
  await orderJob(trx, REGISTRY_CHANGES, { subject: merchant.id, owner: merchant.id });
  return { id: change.id, changed: [] };
}

/** Records of changed products that are deleted at a time. */
const FORGOTTEN_AT_ONCE = 10_000;

/** Deletes, in batches, the records of which products a change affected that can no longer be undone. */
export async function forgetProducts({ db, clock }: Registry): Promise<void> {
  const late = new Date(clock().getTime() - UNDOABLE);
  const { rows } = await sql<{ id: string }>`
    select id from registry_changes where remembers and finished_at < ${late} order by finished_at limit 1`.execute(
    db,
  );
  const [change] = rows;
  if (change === undefined) return;
  const { numAffectedRows = 0n } = await sql`
    delete from registry_change_products where change_id = ${change.id} and created_order in (
      select created_order from registry_change_products where change_id = ${change.id}
      limit ${FORGOTTEN_AT_ONCE})`.execute(db);
  if (numAffectedRows < FORGOTTEN_AT_ONCE)
    await db.updateTable('registry_changes').set({ remembers: false }).where('id', '=', change.id).execute();
}

interface Progress {
  readonly done: number;
  readonly finishedAt: Date | null;
  readonly total?: number | undefined;
}

async function insert(
  trx: DatabaseTransaction,
  { id, merchantId, storeId, kind, filter, undoes, keyId, at }: Recorded,
  { done, finishedAt, total }: Progress,
): Promise<void> {
  const isDone = finishedAt !== null;
  await trx
    .insertInto('registry_changes')
    .values({
      id,
      merchant_id: merchantId,
      kind,
      store_id: storeId,
      hostname: null,
      filter: filter === null ? null : JSON.stringify(filter),
      up_to: sql<string>`(
        select max(created_order) from products where store_id = ${storeId} and deleted_at is null)`,
      undoes,
      key_id: keyId,
      read_to: isDone ? null : '0',
      done,
      total: isDone ? done : (total ?? null),
      created_at: at,
      finished_at: finishedAt,
    })
    .execute();
}
