import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { changeProducts } from '../products/bites.ts';
import { type LockedMerchant, settleSlots } from '../slots.ts';

/** Products of these stores on a host that is no domain of theirs any more are active no more; their slots go on. */
export async function loseHost(
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
  hostname: string,
  storeIds: readonly string[],
): Promise<void> {
  const theirs = sql<boolean>`host = ${hostname} and store_id = any(${storeIds}::uuid[])`;
  await changeProducts(trx, sql`host_known = false`, sql`${theirs} and host_known`);
  await settleSlots(trx, merchant, theirs);
}
