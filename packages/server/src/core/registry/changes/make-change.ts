import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { ChangeKind } from '../../../platform/database/tables.ts';
import { orderJob } from '../../../platform/jobs/order-jobs.ts';
import { followProducts } from '../changed-products.ts';
import type { Registry } from '../context.ts';
import { countSeats, type LockedMerchant, moveSeats, moveSeatsOf, oldestWaiting } from '../plan-seats.ts';
import { applyChange } from './apply-change.ts';
import { countProducts, type ProductChange } from './concerned-products.ts';
import { deleteOldChanges } from './delete-old-changes.ts';

/** The queue of changes that are made in batches: a job for each merchant. */
export const REGISTRY_CHANGES = 'registry-changes';

/** Products that one transaction changes at most: at 30 µs each, others of the merchant wait well under a second. */
export const productsAtOnce = (registry: Pick<Registry, 'productsAtOnce'>): number =>
  registry.productsAtOnce ?? 1_000;

/**
 * Updates the products concerned by what this transaction wrote to their store or to a domain of it: within the transaction
 * if they are few, otherwise by a job (`run-changes.ts`).
 *
 * @returns the id of the change that the job applies; `null` if nothing is left to do
 */
export async function changeProducts(
  registry: Registry,
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
  change: ProductChange,
): Promise<string | null> {
  const most = productsAtOnce(registry);
  const count = await countProducts(trx, merchant.id, change, most + 1);
  if (count === 0) return null;
  if (count > most || (merchant.seatsUnsettled && change.kind !== 'image_signing')) {
    return recordChange(registry, trx, merchant, change);
  }
  const merchantId = merchant.id;
  const batch = await applyChange(trx, merchantId, change, '0', most);
  await countSeats(trx, merchantId, -batch.released);
  const moved = change.kind === 'image_signing' ? [] : await moveSeats(trx, merchantId);
  const ofDeletedStore = change.kind === 'store_deletion';
  await followProducts(registry, trx, { ...batch, merchantId, ofDeletedStore });
  await followProducts(registry, trx, { merchantId, changed: moved });
  return null;
}

/** Assigns or takes back seats after this transaction changed the merchant's capacity; returns the same as `changeProducts`. */
export async function changeCapacity(
  registry: Registry,
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
): Promise<string | null> {
  const most = productsAtOnce(registry);
  const over = merchant.slotsHeld - merchant.planCapacity;
  const waiting = over >= 0 ? [] : await oldestWaiting(trx, merchant.id, Math.min(-over, most + 1));
  if (Math.max(over, waiting.length) > most || merchant.seatsUnsettled)
    return recordChange(registry, trx, merchant, { kind: 'capacity' });
  await followProducts(registry, trx, {
    merchantId: merchant.id,
    changed: await moveSeatsOf(trx, merchant, { waiting }),
  });
  return null;
}

type NewChange =
  | ProductChange
  | { readonly kind: 'capacity'; readonly storeId?: never; readonly hostname?: never };

/** Records a change with its job. The same change, if it is pending, is restarted. */
async function recordChange(
  registry: Registry,
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
  { kind, storeId, hostname }: NewChange,
): Promise<string> {
  const now = registry.clock();
  await deleteOldChanges(trx, merchant.id, now);
  await orderChanges(trx, merchant, kind !== 'image_signing');
  const pending = await trx
    .updateTable('registry_changes')
    .set({ read_to: readFrom(kind), done: 0, total: null })
    .where('merchant_id', '=', merchant.id)
    .where('finished_at', 'is', null)
    .where('kind', '=', kind)
    .where(sql<boolean>`store_id is not distinct from ${storeId ?? null}`)
    .where(sql<boolean>`hostname is not distinct from ${hostname ?? null}`)
    .returning('id')
    .executeTakeFirst();
  if (pending !== undefined) return pending.id;
  const id = randomUUID();
  await trx.insertInto('directory').values({ id, merchant_id: merchant.id }).execute();
  await trx
    .insertInto('registry_changes')
    .values({
      id,
      merchant_id: merchant.id,
      kind,
      store_id: storeId ?? null,
      hostname: hostname ?? null,
      read_to: readFrom(kind),
      created_at: now,
    })
    .execute();
  return id;
}

/** Orders the job that makes a merchant's changes; until they are made, no seat is assigned if they may move one. */
export async function orderChanges(
  trx: DatabaseTransaction,
  { id, seatsUnsettled }: Pick<LockedMerchant, 'id' | 'seatsUnsettled'>,
  movesSeats = true,
): Promise<void> {
  if (movesSeats && !seatsUnsettled)
    await trx.updateTable('merchants').set({ seats_unsettled: true }).where('id', '=', id).execute();
  await orderJob(trx, REGISTRY_CHANGES, { subject: id, owner: id });
}

/** A change of capacity reads no products: seats are assigned after all other changes. */
const readFrom = (kind: ChangeKind): string | null => (kind === 'capacity' ? null : '0');
