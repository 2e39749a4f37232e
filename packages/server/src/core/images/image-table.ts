import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { NoImage, ScannedImage } from './scan-result.ts';
import type { ScanTask } from './scan-task.ts';

/** An image, by what its row is found by. */
type ImageKey = Pick<ScanTask, 'imageId' | 'merchantId'>;

export interface ImageRecord {
  readonly result: ScannedImage;
  readonly version: number;
  readonly now: Date;
  readonly trustList: string;
}

/** Writes what a scan found: the image, and its certified bytes if there are any. */
export async function writeImage(
  trx: DatabaseTransaction,
  { imageId: id, merchantId }: ImageKey,
  { result, version, now, trustList }: ImageRecord,
): Promise<void> {
  const { header, certified, sourceUhash, validators } = result;
  const failures = result.manifestFailures ?? [];
  const [credentials, trust] = [JSON.stringify(result.credentials), JSON.stringify(result.trust)];
  const carrier = {
    blob_key: certified?.blobKey ?? null,
    signed_by_us: certified?.signedUntil !== undefined,
  };
  await trx
    .updateTable('images')
    .set({
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
    })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
  if (certified === undefined) return;
  await trx
    .insertInto('image_certifications')
    .values({
      image_id: id,
      source_uhash: sourceUhash,
      blob_key: certified.blobKey,
      signed_by_us: carrier.signed_by_us,
      certified_at: now,
      signed_until: certified.signedUntil ?? null,
      merchant_id: merchantId,
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
export async function writeNoImage(
  trx: DatabaseTransaction,
  { imageId: id, merchantId }: ImageKey,
  { sourceUhash }: NoImage,
  version: number,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('images')
    .set({
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
    })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
}

/** When the file was uploaded, as stated by the host; the time of our first fetch says nothing about that. */
function uploadDate({ validators }: ScannedImage, now: Date): Date | null {
  const stated = new Date(validators.lastModified ?? Number.NaN);
  return Number.isNaN(stated.getTime()) || stated > now || stated.getTime() < 0 ? null : stated;
}
