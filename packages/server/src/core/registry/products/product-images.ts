import { type ImageInput, type ImageView, MAX_IMAGES } from '@touchstone/contract';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { Scope } from '../../../platform/http/access.ts';
import { orderJobs } from '../../../platform/jobs/order-jobs.ts';
import { CHANGED, changedBy } from '../changed-products.ts';
import type { Registry } from '../context.ts';
import type { ChangedImage, ChangedProduct } from '../events.ts';
import { assertFits, type ProductKey, withProduct } from './change-product.ts';
import { findImage } from './find-image.ts';
import { type ImageStep, type PresentImage, planImages } from './plan-upsert.ts';
import { CHANGED_IMAGE, writeImages } from './product-table.ts';
import { getProduct } from './read-products.ts';

/** The queue of image scans: one for every image (`core/images/order-scans.ts`). */
export const IMAGE_SCANS = 'image-scans';

/**
 * Orders new scans of images that a merchant has sent again: of those that failed, and of those whose signed file the shop did
 * not serve, since the merchant may have uploaded it.
 */
export async function orderRescans(
  trx: DatabaseTransaction,
  storeId: string,
  imageIds: readonly string[],
  { failedOnly = false }: { readonly failedOnly?: boolean | undefined } = {},
): Promise<void> {
  if (imageIds.length === 0) return;
  const state = failedOnly
    ? sql`failure is not null`
    : sql`(failure is not null or (result = 'done' and image_state = 'not_served'))`;
  await orderJobs(trx, IMAGE_SCANS, storeId, sql`${state} and subject = any(${imageIds}::uuid[])`);
}

/**
 * Adds images after the existing ones. An address that the product has or had keeps its id. Returns
 * all images of the product, in order. Throws `product_unknown`; `conflict` if there would be too many.
 */
export async function addImages(
  registry: Registry,
  scope: Scope,
  productId: string,
  inputs: readonly ImageInput[],
): Promise<readonly ImageView[]> {
  await withProduct(registry, scope, productId, async (trx, product) => {
    const present = await readImages(trx, product);
    const kept = present
      .filter((image) => !image.removed)
      .map(
        (image): ImageInput => ({
          url: image.url,
          ...(image.externalId === null ? {} : { externalId: image.externalId }),
        }),
      );
    const wanted = new Map(kept.map((image) => [image.url, image]));
    for (const input of inputs) wanted.set(input.url, { ...wanted.get(input.url), ...input });
    if (wanted.size > MAX_IMAGES) {
      throw new ServiceError('conflict', { message: `A product has at most ${MAX_IMAGES} images.` });
    }
    const urls = inputs.map(({ url }) => url);
    const now = registry.clock();
    const steps = planImages([...wanted.values()], present);
    const images = await writeImages(
      trx,
      product.merchant_id,
      steps.map((step) => ({ ...step, product_id: product.id })),
      now,
    );
    await orderRescans(
      trx,
      product.store_id,
      shownAfter(present, steps, ({ url }) => urls.includes(url)),
    );
    if (images.length === 0) return [];
    await assertFits(trx, { ...product, externalProductId: product.external_product_id });
    return imagesChanged(registry, trx, product, images, now);
  });
  return (await getProduct(registry, scope, productId)).images;
}

/** Ids of images that a product has after these steps. */
export function shownAfter(
  present: readonly PresentImage[],
  steps: readonly ImageStep[],
  which: (image: PresentImage | ImageStep) => boolean = () => true,
): string[] {
  const images = new Map<string, PresentImage | ImageStep>();
  for (const image of [...present, ...steps]) images.set(image.id, image);
  return [...images.values()].filter((image) => !image.removed && which(image)).map(({ id }) => id);
}

/** Removes an image from its product: its certificate is then a 404. It gets the same id if it is added again. */
export async function removeImage(registry: Registry, scope: Scope, imageId: string): Promise<void> {
  const image = await findImage(registry.db, scope, imageId);
  await withProduct(registry, scope, image.product_id, async (trx, product) => {
    const now = registry.clock();
    const { rows } = await sql<ChangedImage>`
      update images i set removed_at = ${now}
      where merchant_id = ${product.merchant_id} and id = ${imageId} and removed_at is null returning ${CHANGED_IMAGE}`.execute(
      trx,
    );
    return rows.length === 0 ? [] : imagesChanged(registry, trx, product, rows, now);
  });
}

/** @returns the product, which states its images */
async function imagesChanged(
  registry: Registry,
  trx: DatabaseTransaction,
  product: ProductKey & { readonly store_id: string },
  images: readonly ChangedImage[],
  now: Date,
): Promise<readonly ChangedProduct[]> {
  const { merchant_id: merchantId, store_id: storeId } = product;
  await registry.emit(trx, 'imagesChanged', { merchantId, storeId, images });
  return changedBy(
    trx,
    sql`update products p set updated_at = ${now}
      where merchant_id = ${merchantId} and id = ${product.id} returning ${CHANGED}`,
  );
}

async function readImages(trx: DatabaseTransaction, product: ProductKey): Promise<PresentImage[]> {
  const rows = await trx
    .selectFrom('images')
    .select(['id', 'url', 'external_id', 'position', 'removed_at'])
    .where('merchant_id', '=', product.merchant_id)
    .where('product_id', '=', product.id)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    url: row.url,
    externalId: row.external_id,
    position: row.position,
    removed: row.removed_at !== null,
  }));
}
