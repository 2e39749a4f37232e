import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { Platform, Tables } from '../../platform/database/tables.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { type LockedMerchant, lockMerchant } from './plan-seats.ts';

export interface StoreRow {
  readonly id: string;
  readonly merchantId: string;
  readonly name: string;
  readonly url: string;
  readonly platform: Platform;
  readonly signImages: boolean;
  readonly signRemoteManifests: boolean;
  readonly signPrices: boolean;
  readonly createdAt: Date;
}

/** A store, by what its rows are found by. */
export type StoreKey = Pick<StoreRow, 'id' | 'merchantId'>;

/** The merchant of what is known by its id alone, such as a store: an expression that fits into any statement. */
export const merchantOf = (id: string): RawBuilder<string> =>
  sql<string>`(select merchant_id from directory where id = ${id})`;

/** The merchant with whom a caller may find something: its own, or whosever it is. */
export const merchantIn = (scope: Scope, id: string): string | RawBuilder<string> =>
  scope === 'all' ? merchantOf(id) : scope.merchantId;

/** The merchant of an image: its job names the store. */
export const merchantOfImage = (id: string): RawBuilder<string> => sql<string>`(
  select d.merchant_id from jobs j join directory d on d.id = j.owner
  where j.queue = 'image-scans' and j.subject = ${id})`;

/** A store in scope; throws `store_unknown` both for a missing store and for one out of scope. */
export async function findStore(db: Kysely<Tables>, scope: Scope, id: string): Promise<StoreRow> {
  return db
    .selectFrom('stores')
    .select(['id', 'merchant_id as merchantId', 'name', 'url', 'platform'])
    .select(['sign_images as signImages', 'sign_remote_manifests as signRemoteManifests'])
    .select(['sign_prices as signPrices', 'created_at as createdAt'])
    .where('merchant_id', '=', merchantIn(scope, id))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow(() => new ServiceError('store_unknown'));
}

/**
 * Locks the merchant of what is known by its id alone. A statement of its own finds it: where tables are distributed, only rows of a
 * merchant whom the statement names can be locked.
 */
export async function lockMerchantIn(
  trx: DatabaseTransaction,
  scope: Scope,
  id: string,
): Promise<LockedMerchant | undefined> {
  const merchantId = scope === 'all' ? await findMerchant(trx, id) : scope.merchantId;
  return merchantId === undefined ? undefined : lockMerchant(trx, merchantId);
}

/** The merchant of what is known by its id alone. */
export async function findMerchant(trx: DatabaseTransaction, id: string): Promise<string | undefined> {
  const found = await trx
    .selectFrom('directory')
    .select('merchant_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.merchant_id;
}

/** The same under the lock of its merchant. */
export async function lockStore(
  trx: DatabaseTransaction,
  scope: Scope,
  storeId: string,
): Promise<StoreRow & { readonly merchant: LockedMerchant }> {
  const merchant = await lockMerchantIn(trx, scope, storeId);
  if (merchant === undefined) throw new ServiceError('store_unknown');
  return { ...(await findStore(trx, { merchantId: merchant.id }, storeId)), merchant };
}
