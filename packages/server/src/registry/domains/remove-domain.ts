import { hostOf } from '@touchstone/certificate/binding';
import { inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import type { Registry } from '../context.ts';
import { findStore, lockStore } from '../stores/find-store.ts';
import { hostnameOrThrow } from './add-domain.ts';
import { freeHostnames } from './free-hostnames.ts';
import { lockHostnames } from './hostname-lock.ts';
import { loseHost } from './lose-host.ts';

/**
 * Takes a hostname from a store: one added by mistake, sold, or lapsed. Products on it are active no more. Where no
 * other store of the merchant names it, its ownership ends, and whoever proves it next owns it.
 *
 * Throws `store_unknown`, `domain_unknown_to_store`; `conflict` for the host of the store's own address.
 */
export async function removeDomain(
  registry: Registry,
  scope: Scope,
  storeId: string,
  hostnameText: string,
): Promise<void> {
  const hostname = hostnameOrThrow(hostnameText);
  const { merchantId } = await findStore(registry.db, scope, storeId);
  await inTransaction(registry.db, async (trx) => {
    await lockHostnames(trx, [hostname]);
    const store = await lockStore(trx, merchantId, storeId);
    if (hostOf(store.url) === hostname) {
      throw new ServiceError('conflict', {
        message: `${hostname} is the host of the store's own address; give the store another url first.`,
      });
    }
    const { numDeletedRows } = await trx
      .deleteFrom('domains')
      .where('store_id', '=', store.id)
      .where('hostname', '=', hostname)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new ServiceError('domain_unknown_to_store');
    await freeHostnames(trx, merchantId, [hostname]);
    await loseHost(trx, store.merchant, hostname, [store.id]);
  });
  // a slot that came free goes to another product of the merchant
  registry.onChange([`s:${storeId.toLowerCase()}`, `m:${merchantId}`]);
}
