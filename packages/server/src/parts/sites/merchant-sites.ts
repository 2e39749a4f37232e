import type { Registry } from '../../core/registry/context.ts';
import { getMerchant } from '../../core/registry/merchants/merchants.ts';
import { announce } from '../../platform/cache/announce.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/http/access.ts';

async function hasOptedOut(db: Database | DatabaseTransaction, merchantId: string): Promise<boolean> {
  const row = await db
    .selectFrom('site_opt_outs')
    .select('merchant_id')
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row !== undefined;
}

/** @throws ServiceError `merchant_unknown`, also for one out of scope */
export async function readMerchantSites(registry: Registry, scope: Scope, merchantId: string) {
  const { id } = await getMerchant(registry, scope, merchantId);
  return { optOut: await hasOptedOut(registry.db, id) };
}

/** @throws ServiceError `merchant_unknown`, also for one out of scope */
export async function changeMerchantSites(
  registry: Registry,
  scope: Scope,
  merchantId: string,
  optOut: boolean,
) {
  const { id } = await getMerchant(registry, scope, merchantId);
  const { db, clock } = registry;
  await inTransaction(db, async (trx) => {
    if (optOut)
      await trx
        .insertInto('site_opt_outs')
        .values({ merchant_id: id, opted_out_at: clock() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    else await trx.deleteFrom('site_opt_outs').where('merchant_id', '=', id).execute();
    await announce(trx, [`m:${id}`]);
  });
  registry.onChange([`m:${id}`]);
  return { optOut };
}
