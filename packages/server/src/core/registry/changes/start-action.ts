import { randomUUID } from 'node:crypto';
import type { RegistryChange } from '@touchstone/contract';
import { type DatabaseTransaction, inTransaction } from '../../../platform/database/database.ts';
import { followProducts } from '../changed-products.ts';
import { productChanges, type Registry } from '../context.ts';
import { lockStore } from '../find-store.ts';
import { countSeats, type LockedMerchant, settleSeats } from '../plan-seats.ts';
import { type ActionChange, actOn } from './act-on-batch.ts';
import { deleteOldChanges } from './delete-old-changes.ts';
import { orderChanges } from './make-change.ts';
import { getChange } from './read-changes.ts';

/** A recorded change, and the products that it has changed so far. */
interface Started {
  /** Of the change. */
  readonly id: string;
  readonly changed: readonly string[];
}

/** Runs `work` in a transaction that holds the merchant's lock, announces the changed products, and returns the change. */
export async function underLock(
  registry: Registry,
  merchantId: string,
  storeId: string,
  work: (trx: DatabaseTransaction, merchant: LockedMerchant) => Promise<Started>,
): Promise<RegistryChange> {
  const { id, changed } = await inTransaction(registry.db, async (trx) => {
    const { merchant } = await lockStore(trx, { merchantId }, storeId);
    await deleteOldChanges(trx, merchantId, registry.clock());
    return work(trx, merchant);
  });
  if (changed.length > 0) registry.onChange(productChanges(changed));
  return getChange(registry, { merchantId }, id);
}

type ActionRequest = Pick<ActionChange, 'kind' | 'storeId' | 'merchantId' | 'filter'> & {
  readonly undoes?: string;
  readonly keyId: string | undefined;
  readonly withdraws?: boolean;
  readonly reason?: string | undefined;
};

export const newAction = (
  { clock }: Registry,
  { undoes, keyId, withdraws, reason, ...change }: ActionRequest,
): ActionChange => ({
  ...change,
  id: randomUUID(),
  upTo: null,
  undoes: undoes ?? null,
  keyId: keyId ?? null,
  withdraws: withdraws ?? null,
  reason: reason ?? null,
  at: clock(),
});

/** Records an action and applies it to its products within the transaction. */
export async function applyAction(
  registry: Registry,
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
  change: ActionChange,
  productIds: readonly string[],
): Promise<Started> {
  await insertChange(trx, change, { done: productIds.length, finishedAt: change.at });
  const { released, ...acted } = await actOn(trx, change, productIds);
  await countSeats(trx, merchant.id, -released);
  const slotsHeld = merchant.slotsHeld - released;
  const moved = await settleSeats(trx, { ...merchant, slotsHeld }, acted.changed);
  const changed = [...acted.changed, ...moved];
  await followProducts(registry, trx, { ...acted, merchantId: merchant.id, changed });
  return { id: change.id, changed: changed.map(({ id }) => id) };
}

/** Records an action with the job that applies it batch by batch (`run-changes.ts`). */
export async function orderAction(
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
  change: ActionChange,
  total?: number,
): Promise<Started> {
  await orderChanges(trx, merchant);
  await insertChange(trx, change, { done: 0, finishedAt: null, total });
  return { id: change.id, changed: [] };
}

interface Progress {
  readonly done: number;
  readonly finishedAt: Date | null;
  readonly total?: number | undefined;
}

async function insertChange(
  trx: DatabaseTransaction,
  { id, merchantId, storeId, kind, filter, undoes, keyId, at, withdraws, reason }: ActionChange,
  { done, finishedAt, total }: Progress,
): Promise<void> {
  const isDone = finishedAt !== null;
  await trx.insertInto('directory').values({ id, merchant_id: merchantId }).execute();
  const { last } = await trx
    .selectFrom('products')
    .select((eb) => eb.fn.max('created_order').as('last'))
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', storeId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('registry_changes')
    .values({
      id,
      merchant_id: merchantId,
      kind,
      store_id: storeId,
      hostname: null,
      filter: filter === null ? null : JSON.stringify(filter),
      up_to: last,
      undoes,
      key_id: keyId,
      withdraws,
      reason,
      read_to: isDone ? null : '0',
      done,
      total: isDone ? done : (total ?? null),
      created_at: at,
      finished_at: finishedAt,
    })
    .execute();
}
