import type { DatabaseTransaction } from '../../platform/database/database.ts';

/** Ends the ownership of those that no store of the merchant names any more: they are free for whoever proves them. */
export async function freeHostnames(
  trx: DatabaseTransaction,
  merchantId: string,
  hostnames: readonly string[],
): Promise<void> {
  if (hostnames.length === 0) return;
  await trx
    .deleteFrom('hostname_owners')
    .where('merchant_id', '=', merchantId)
    .where('hostname', 'in', hostnames)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('domains')
            .innerJoin('stores', 'stores.id', 'domains.store_id')
            .select('domains.hostname')
            .whereRef('domains.hostname', '=', 'hostname_owners.hostname')
            .where('stores.merchant_id', '=', merchantId),
        ),
      ),
    )
    .execute();
}
