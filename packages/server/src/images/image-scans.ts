import type { FailedImage, FailedImageList, ImageProgress } from '@touchstone/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../platform/database/database.ts';
import type { Scope } from '../platform/http/access.ts';
import type { Registry } from '../registry/context.ts';
import { BATCH } from '../registry/products/product-batches.ts';
import { findStore } from '../registry/stores/find-store.ts';
import { troubleOf } from './failures.ts';

/** Seconds over which the rate of looking at images is told. */
const RATE_SPAN = 60;

const LIVE = sql`i.removed_at is null and p.deleted_at is null`;

/** How far looking at a store's images has come. Throws `store_unknown`. */
export async function imageProgress(
  registry: Registry,
  scope: Scope,
  storeId: string,
): Promise<ImageProgress> {
  const store = await findStore(registry.db, scope, storeId);
  const { rows } = await sql<ImageProgress>`
    select count(*)::int as total,
      count(*) filter (where l.state = 'settled')::int as done,
      count(*) filter (where l.state = 'failed')::int as failed,
      count(*) filter (where l.state = 'waiting')::int as waiting,
      count(*) filter (where i.credentials->>'hasC2PA' = 'true')::int as certified,
      count(*) filter (where i.signed_by_us)::int as "signedByUs",
      count(*) filter (where l.trouble is not null and l.state <> 'failed')::int as retrying,
      round(count(*) filter (where l.settled_at > now() - make_interval(secs => ${RATE_SPAN}))
        / ${RATE_SPAN}::numeric, 2)::float as "perSecond"
    from image_looks l
    join images i on i.id = l.image_id
    join products p on p.id = i.product_id
    where l.store_id = ${store.id} and ${LIVE}`.execute(registry.db);
  const [row] = rows;
  if (row === undefined) throw new Error('a count answers one row');
  return row;
}

/** Images that were given up for now, with why and what to do; by id. Throws `store_unknown`. */
export async function failedImages(
  registry: Registry,
  scope: Scope,
  storeId: string,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<FailedImageList> {
  const store = await findStore(registry.db, scope, storeId);
  const { rows } = await sql<FailedRow>`
    select i.id, i.url, i.product_id, p.external_product_id, l.trouble, l.due_at
    from image_looks l
    join images i on i.id = l.image_id
    join products p on p.id = i.product_id
    where l.store_id = ${store.id} and l.state = 'failed' and ${LIVE}
      and (${cursor ?? null}::uuid is null or i.id > ${cursor ?? null}::uuid)
    order by i.id limit ${limit + 1}`.execute(registry.db);
  const images = rows.slice(0, limit).map(toFailed);
  const last = images.at(-1);
  return { images, ...(rows.length > limit && last !== undefined ? { nextCursor: last.id } : {}) };
}

/** Has the failed images of a store, all or some, looked at again now. Throws `store_unknown`. */
export async function retryImages(
  registry: Registry,
  scope: Scope,
  storeId: string,
  imageIds: readonly string[] | undefined,
): Promise<{ retried: number }> {
  const store = await findStore(registry.db, scope, storeId);
  const which =
    imageIds === undefined
      ? sql`true`
      : sql`image_id = any(${imageIds.map((id) => id.toLowerCase())}::uuid[])`;
  return { retried: await orderAgain(registry.db, store.id, sql`state = 'failed' and ${which}`) };
}

/** A store asks for signatures now: whatever carries no manifest, or is being looked at, is looked at again. */
export async function orderSigning(trx: DatabaseTransaction, storeId: string): Promise<void> {
  await orderAgain(
    trx,
    storeId,
    sql`image_id in (select i.id from images i join products p on p.id = i.product_id
      where p.store_id = ${storeId} and (i.credentials is null or i.credentials->>'hasManifest' = 'false'))`,
  );
}

/**
 * Without validators: bytes are wanted, changed or not. Bite by bite, as products are changed: a store may have millions
 * of images.
 */
async function orderAgain(
  db: Database | DatabaseTransaction,
  storeId: string,
  which: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ image_id: string }>`
    select image_id from image_looks where store_id = ${storeId} and ${which} order by image_id`.execute(db);
  for (let begun = 0; begun < rows.length; begun += BATCH) {
    const bite = rows.slice(begun, begun + BATCH).map(({ image_id }) => image_id);
    await sql`
      update image_looks set due_at = now(), orders = orders + 1, state = 'waiting', trouble = null, interrupted = 0,
        etag = null, last_modified = null
      where image_id = any(${bite}::uuid[])`.execute(db);
  }
  return rows.length;
}

interface FailedRow {
  id: string;
  url: string;
  product_id: string;
  external_product_id: string;
  trouble: { code: string; detail: string; at: string; attempts: number } | null;
  due_at: Date | null;
}

function toFailed(row: FailedRow): FailedImage {
  const { code, detail, at, attempts } = row.trouble ?? {
    code: 'image_fault',
    detail: '',
    at: '',
    attempts: 0,
  };
  const { sentence, nextStep } = troubleOf(code);
  return {
    id: row.id,
    url: row.url,
    productId: row.product_id,
    externalProductId: row.external_product_id,
    code,
    message: detail === '' ? sentence : `${sentence} ${detail}`,
    nextStep,
    attempts,
    failedAt: at,
    ...(row.due_at === null ? {} : { nextAttemptAt: row.due_at.toISOString() }),
  };
}
