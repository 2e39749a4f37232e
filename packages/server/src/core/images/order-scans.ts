import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { ChangedImage, CoreListener } from '../registry/events.ts';
import { IMAGE_SCANS } from '../registry/products/product-images.ts';

/** Keeps the jobs that scan images: each is made with its image, rests while that is removed, and is due when it comes back. */
export const imageScans: CoreListener = {
  async imagesChanged(trx, { merchantId, storeId, images }) {
    await schedule(
      trx,
      storeId,
      images.filter(({ wasRemoved }) => wasRemoved === null),
    );
    const others = images.filter(
      ({ wasRemoved, isRemoved }) => wasRemoved !== null && wasRemoved !== isRemoved,
    );
    for (const gone of [true, false]) {
      const moved = others.filter(({ isRemoved }) => isRemoved === gone);
      await reschedule(
        trx,
        merchantId,
        moved.map(({ id }) => id),
        gone,
      );
    }
  },
  async productsChanged(trx, { merchantId, products }) {
    const moved = products.filter(
      ({ was, is }) => was !== null && (was === 'deleted') !== (is === 'deleted'),
    );
    for (const gone of [true, false]) {
      const ids = moved.filter(({ is }) => (is === 'deleted') === gone).map(({ id }) => id);
      if (ids.length === 0) continue;
      const { rows } = await sql<{ id: string }>`
        select id from images
        where merchant_id = ${merchantId} and product_id = any(${ids}::uuid[]) and removed_at is null
        order by id`.execute(trx);
      await reschedule(
        trx,
        merchantId,
        rows.map(({ id }) => id),
        gone,
      );
    }
  },
};

async function schedule(
  trx: DatabaseTransaction,
  storeId: string,
  images: readonly ChangedImage[],
): Promise<void> {
  if (images.length === 0) return;
  await sql`
    insert into jobs (queue, subject, owner, resource, image_state)
      select ${IMAGE_SCANS}, image.id, ${storeId}, image.host, 'waiting'
      from unnest(${images.map(({ id }) => id)}::uuid[], ${images.map(({ host }) => host)}::text[]) as image (id, host)`.execute(
    trx,
  );
}

/**
 * Of an image that has gone nothing is due; one that comes back may have changed meanwhile. A scan that is running ends by itself. Who
 * makes images or products go or come back holds the merchant's lock, so that neither misses the other.
 */
async function reschedule(
  trx: DatabaseTransaction,
  merchantId: string,
  imageIds: readonly string[],
  gone: boolean,
): Promise<void> {
  if (imageIds.length === 0) return;
  const live = gone ? [] : await readLive(trx, merchantId, imageIds);
  const set = gone
    ? sql`live = false, state = case when state = 'running' then state else 'idle' end,
        due_at = case when state = 'running' then due_at end`
    : sql`live = subject = any(${live}::uuid[]),
        orders = orders + 1, state = case when state = 'running' then state else 'ready' end, due_at = now()`;
  await sql`
    update jobs set ${set}, attempts = 0, interrupted = 0
    where queue = ${IMAGE_SCANS} and subject = any(${imageIds}::uuid[])`.execute(trx);
}

/** Those of the images that are there, and whose products are. */
async function readLive(
  trx: DatabaseTransaction,
  merchantId: string,
  imageIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select i.id from images i join products p on p.merchant_id = i.merchant_id and p.id = i.product_id
    where i.merchant_id = ${merchantId} and i.id = any(${imageIds}::uuid[]) and i.removed_at is null
      and p.deleted_at is null`.execute(trx);
  return rows.map(({ id }) => id);
}
