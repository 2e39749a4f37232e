import { MAX_ALLOWED_HOSTS, type PictureSettings } from '@touchstone/contract';
import { sql } from 'kysely';
import type { CoreEvents } from '../../core/registry/events.ts';
import { findStore } from '../../core/registry/find-store.ts';
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';

/** What holds for a store that has said nothing. */
const DEFAULTS: PictureSettings = { told: true, makersPictures: false, makersImages: [], allowedHosts: [] };

/** @throws ServiceError `store_unknown` */
export async function getSettings(db: Database, scope: Scope, storeId: string): Promise<PictureSettings> {
  const { id, merchantId } = await findStore(db, scope, storeId);
  const row = await db
    .selectFrom('picture_settings')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return DEFAULTS;
  const {
    told,
    makers_pictures: makersPictures,
    makers_images: makersImages,
    allowed_hosts: allowedHosts,
  } = row;
  return { told, makersPictures, makersImages, allowedHosts };
}

/** @throws ServiceError `store_unknown` */
export async function setSettings(
  db: Database,
  scope: Scope,
  storeId: string,
  { told, makersPictures, makersImages, allowedHosts }: PictureSettings,
): Promise<PictureSettings> {
  const { id, merchantId } = await findStore(db, scope, storeId);
  const values = {
    told,
    makers_pictures: makersPictures,
    makers_images: [...new Set(makersImages.map((image) => image.toLowerCase()))],
    allowed_hosts: [...new Set(allowedHosts)],
  };
  await db
    .insertInto('picture_settings')
    .values({ merchant_id: merchantId, store_id: id, ...values })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'store_id']).doUpdateSet(values))
    .execute();
  return getSettings(db, scope, storeId);
}

/**
 * Lets a host use the pictures of a store, or no longer.
 *
 * @throws ServiceError `conflict` if the store allows as many hosts as it may
 */
export async function changeAllowedHost(
  trx: DatabaseTransaction,
  { merchantId, storeId, host, allowed }: CoreEvents['hostAllowed'],
): Promise<void> {
  if (!allowed) {
    await sql`
      update picture_settings set allowed_hosts = array_remove(allowed_hosts, ${host})
      where merchant_id = ${merchantId} and store_id = ${storeId}`.execute(trx);
    return;
  }
  const { rows } = await sql<{ allowed_hosts: readonly string[] }>`
    insert into picture_settings as p (merchant_id, store_id, told, makers_pictures, makers_images, allowed_hosts)
    values (${merchantId}, ${storeId}, ${DEFAULTS.told}, ${DEFAULTS.makersPictures}, '{}', array[${host}])
    on conflict (merchant_id, store_id) do update
      set allowed_hosts = array_append(array_remove(p.allowed_hosts, ${host}), ${host})
    returning allowed_hosts`.execute(trx);
  if ((rows[0]?.allowed_hosts.length ?? 0) <= MAX_ALLOWED_HOSTS) return;
  const message = `A store allows at most ${MAX_ALLOWED_HOSTS} hosts to use its pictures: remove one in its settings.`;
  throw new ServiceError('conflict', { message });
}
