import type { PictureSettings } from '@touchstone/contract';
import { findStore } from '../../core/registry/find-store.ts';
import type { Database } from '../../platform/database/database.ts';
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
