import { sql, type UpdateObject } from 'kysely';
import { announce } from '../../platform/cache/announce.ts';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Emit } from '../registry/events.ts';
import { IMAGE_SCANS } from '../registry/products/product-images.ts';
import type { NoImage, ScannedImage } from './scan-result.ts';
import type { ScanTask } from './scan-task.ts';

/** An image, by what its row is found by. */
export interface ImageKey extends Pick<ScanTask, 'imageId' | 'merchantId'> {
  readonly storeId: string;
}

export interface ImageRecord {
  readonly result: ScannedImage;
  readonly version: number;
  readonly now: Date;
  readonly trustList: string;
}

/** The columns of an image that certificates state or depend on. */
const STATED = [
  'media_type',
  'width',
  'height',
  'upload_date',
  'credentials',
  'blob_key',
  'source_uhash',
  'given_up',
];

/**
 * Writes what was found out about an image: announces it, keeps its state on the job that scans it, where listings find it, and has
 * certificates follow if they state something else now.
 */
export async function updateImage(
  trx: DatabaseTransaction,
  emit: Emit,
  { imageId, storeId, merchantId }: ImageKey,
  values: UpdateObject<Tables, 'images'>,
): Promise<void> {
  const of = (row: string) => sql`(${sql.join(STATED.map((column) => sql.ref(`${row}.${column}`)))})`;
  const { productId, isAltered } = await trx
    .updateTable('images')
    .set(values)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', imageId)
    .returning('product_id as productId')
    // the query finds the row as it was before, which the caller has locked
    .returning(
      sql<boolean>`(select ${of('former')} is distinct from ${of('images')} from images former
        where former.merchant_id = images.merchant_id and former.id = images.id)`.as('isAltered'),
    )
    .executeTakeFirstOrThrow();
  await sql`
    update jobs set image_state = told.state, image_marks = told.marks
    from images i cross join lateral (
      select image_state(i.given_up, i.media_type, i.credentials, i.blob_key, i.source_uhash) as state,
        image_marks(i.media_type, i.credentials, i.signed_by_us, i.blob_key, i.source_uhash) as marks) told
    where i.merchant_id = ${merchantId} and i.id = ${imageId} and queue = ${IMAGE_SCANS} and subject = i.id
      and (jobs.image_state, jobs.image_marks) is distinct from (told.state, told.marks)`.execute(trx);
  await announce(trx, [`p:${productId}`]);
  if (isAltered) await emit(trx, 'imageScanned', { merchantId, storeId, productId });
}

/** Writes what a scan found: the image, and its certified bytes if there are any. */
export async function writeImage(
  trx: DatabaseTransaction,
  emit: Emit,
  id: ImageKey,
  { result, version, now, trustList }: ImageRecord,
): Promise<void> {
  const { header, certified, sourceUhash, validators } = result;
  const failures = result.manifestFailures ?? [];
  const [credentials, trust] = [JSON.stringify(result.credentials), JSON.stringify(result.trust)];
  const carrier = {
    blob_key: certified?.blobKey ?? null,
    signed_by_us: certified?.signedUntil !== undefined,
  };
  await updateImage(trx, emit, id, {
    media_type: header.mediaType,
    width: header.width,
    height: header.height,
    upload_date: uploadDate(result, now),
    version,
    source_uhash: sourceUhash,
    frame_code: result.frameCode ?? null,
    appearance: result.appearance ?? null,
    credentials,
    trust,
    trust_list: trustList,
    given_up: false,
    manifest_failures: failures.length === 0 ? null : JSON.stringify(failures),
    ...carrier,
    etag: validators.etag ?? null,
    last_modified: validators.lastModified ?? null,
    // unchanged results keep the time of the scan that found them first
    scanned_at: sql<Date>`case when source_uhash = ${sourceUhash} and credentials = ${credentials}::jsonb
        and trust = ${trust}::jsonb and blob_key is not distinct from ${carrier.blob_key} then scanned_at else ${now}::timestamptz end`,
  });
  if (certified === undefined) return;
  await trx
    .insertInto('image_certifications')
    .values({
      image_id: id.imageId,
      source_uhash: sourceUhash,
      blob_key: certified.blobKey,
      signed_by_us: carrier.signed_by_us,
      certified_at: now,
      signed_until: certified.signedUntil ?? null,
      merchant_id: id.merchantId,
      first_certified_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'image_id', 'source_uhash'])
        .doUpdateSet((row) => ({
          blob_key: row.ref('excluded.blob_key'),
          certified_at: row.ref('excluded.certified_at'),
          signed_until: row.ref('excluded.signed_until'),
        }))
        // a renewed signature replaces the one before
        .whereRef('image_certifications.blob_key', '<>', 'excluded.blob_key'),
    )
    .execute();
}

/** Writes that the bytes at the address are not an image. */
export function writeNoImage(
  trx: DatabaseTransaction,
  emit: Emit,
  id: ImageKey,
  { sourceUhash }: NoImage,
  version: number,
  now: Date,
): Promise<void> {
  return updateImage(trx, emit, id, {
    media_type: 'application/octet-stream',
    width: null,
    height: null,
    upload_date: null,
    version,
    source_uhash: sourceUhash,
    frame_code: null,
    appearance: null,
    credentials: null,
    trust: null,
    blob_key: null,
    signed_by_us: false,
    given_up: false,
    manifest_failures: null,
    etag: null,
    last_modified: null,
    scanned_at: now,
  });
}

/** When the file was uploaded, as stated by the host; the time of our first fetch says nothing about that. */
function uploadDate({ validators }: ScannedImage, now: Date): Date | null {
  const stated = new Date(validators.lastModified ?? Number.NaN);
  return Number.isNaN(stated.getTime()) || stated > now || stated.getTime() < 0 ? null : stated;
}
