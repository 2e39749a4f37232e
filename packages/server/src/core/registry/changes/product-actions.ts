import type { ProductAction, ProductFilter, RegistryChange } from '@touchstone/contract';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { Scope } from '../../../platform/http/access.ts';
import type { Registry } from '../context.ts';
import { findStore } from '../find-store.ts';
import { findProducts } from '../products/find-products.ts';
import type { ActionChange } from './act-on-batch.ts';
import { productsAtOnce } from './make-change.ts';
import { applyAction, newAction, orderAction, underLock } from './start-action.ts';

/**
 * Hides, shows, withdraws or deletes the named products, or all that match a filter: a few within this call, many by a job.
 *
 * @param keyId - of the caller, recorded for the activity log
 * @throws ServiceError `store_unknown`
 */
export async function actOnProducts(
  registry: Registry,
  scope: Scope,
  storeId: string,
  { action, productIds, filter, reason }: ProductAction,
  keyId?: string,
): Promise<RegistryChange> {
  const { merchantId, id } = await findStore(registry.db, scope, storeId);
  return underLock(registry, merchantId, id, async (trx, merchant) => {
    const change = newAction(registry, {
      kind: action === 'withdraw' ? 'hide' : action,
      withdraws: action === 'withdraw',
      reason,
      storeId: id,
      merchantId,
      filter: filter ?? null,
      keyId,
    });
    const most = productsAtOnce(registry);
    const chosen = productIds ?? (await chosenBy(trx, change, most));
    return chosen === null
      ? orderAction(trx, merchant, change)
      : applyAction(registry, trx, merchant, change, chosen);
  });
}

/** The products of a filter if they are few; `null`: there are more. */
async function chosenBy(
  trx: DatabaseTransaction,
  { storeId, merchantId, filter }: ActionChange,
  most: number,
): Promise<string[] | null> {
  const found = await findProducts(trx, { id: storeId, merchantId }, filter as ProductFilter, most + 1);
  return found.length > most ? null : found.map(({ id }) => id);
}
