import type { Selectable } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import type { ImagesTable } from '../../../platform/database/tables.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { Scope } from '../../../platform/http/access.ts';
import { merchantOfImage } from '../find-store.ts';

export type FoundImage = Pick<Selectable<ImagesTable>, 'merchant_id' | 'product_id' | 'credentials' | 'nft'>;

/** An image of a product, of a merchant in scope. Throws `image_unknown`. */
export async function findImage(db: Database, scope: Scope, imageId: string): Promise<FoundImage> {
  return db
    .selectFrom('images')
    .innerJoin('products', (join) =>
      join
        .onRef('products.merchant_id', '=', 'images.merchant_id')
        .onRef('products.id', '=', 'images.product_id'),
    )
    .innerJoin('stores', (join) =>
      join
        .onRef('stores.merchant_id', '=', 'products.merchant_id')
        .onRef('stores.id', '=', 'products.store_id'),
    )
    .select(['product_id', 'images.merchant_id', 'credentials', 'nft'])
    .where('images.merchant_id', '=', scope === 'all' ? merchantOfImage(imageId) : scope.merchantId)
    .where('images.id', '=', imageId)
    .where('removed_at', 'is', null)
    .where('products.deleted_at', 'is', null)
    .where('stores.deleted_at', 'is', null)
    .executeTakeFirstOrThrow(() => new ServiceError('image_unknown'));
}
