import type { Registry } from '../../core/registry/context.ts';
import { getMerchant } from '../../core/registry/merchants/merchants.ts';
import type { Scope } from '../../platform/http/access.ts';
import { readHidden } from './leaf-table.ts';

/** @throws ServiceError `merchant_unknown`, also for one out of scope */
export async function readMerchantLog(registry: Registry, scope: Scope, merchantId: string) {
  const { id } = await getMerchant(registry, scope, merchantId);
  return { hideDomain: (await readHidden(registry.db, [id])).has(id) };
}

/** Leaves of proofs that were signed before stay as they are: a log never changes. */
export async function changeMerchantLog(
  registry: Registry,
  scope: Scope,
  merchantId: string,
  hideDomain: boolean,
) {
  const { id } = await getMerchant(registry, scope, merchantId);
  const { db, clock } = registry;
  if (hideDomain)
    await db
      .insertInto('log_hidden_domains')
      .values({ merchant_id: id, hidden_at: clock() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else await db.deleteFrom('log_hidden_domains').where('merchant_id', '=', id).execute();
  return { hideDomain };
}
