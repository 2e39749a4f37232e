import type { ImageCredentials } from '@touchstone/certificate';
import type { Validators } from '@touchstone/page/fetch';
import type { Database } from '../platform/database/database.ts';
import { isLasting } from './image-signer.ts';

/** One image to be looked at, with what is known of it and of whose it is. */
export interface ImageTask {
  readonly jobId: string;
  readonly imageId: string;
  /** Orders given so far: one that comes later is not done with this look. */
  readonly orders: number;
  readonly url: string;
  readonly product: { readonly id: string; readonly name: string; readonly url: string };
  readonly store: { readonly id: string; readonly name: string; readonly url: string };
  /** The store asks for images without a manifest to be signed. */
  readonly sign: boolean;
  /** Of the bytes that were looked at last, if any were. */
  readonly before?: {
    readonly sourceUhash: string;
    readonly credentials: ImageCredentials | null;
    readonly signedByUs: boolean;
    /** When the signature ends that we once gave these bytes; `null`: we gave none. */
    readonly signedUntil: Date | null;
    /** SHA-256 of the trust list that its signer was judged by; `null`: unknown. */
    readonly trustList: string | null;
  };
  readonly validators: Validators;
  /** Since when something of ours that was away has kept it from being looked at, if that ended the last attempt. */
  readonly awaySince?: Date;
}

/** The task of a job; `null` when the image has gone meanwhile, or the job is not its order's any more. */
export async function loadTask(db: Database, jobId: string): Promise<ImageTask | null> {
  const row = await db
    .selectFrom('image_looks as l')
    .innerJoin('images as i', 'i.id', 'l.image_id')
    .innerJoin('products as p', 'p.id', 'i.product_id')
    .innerJoin('stores as s', 's.id', 'p.store_id')
    .leftJoin('image_certifications as c', (join) =>
      join.onRef('c.image_id', '=', 'i.id').onRef('c.source_uhash', '=', 'i.source_uhash'),
    )
    .select([
      'i.id as imageId',
      'i.url',
      'i.source_uhash as sourceUhash',
      'i.credentials',
      'i.signed_by_us as signedByUs',
      'c.signed_until as signedUntil',
      'i.trust_list as trustList',
      'l.orders',
      'l.etag',
      'l.last_modified as lastModified',
      'l.trouble',
      'p.id as productId',
      'p.name as productName',
      'p.url as productUrl',
      's.id as storeId',
      's.name as storeName',
      's.url as storeUrl',
      's.sign_images as sign',
    ])
    .where('l.job_id', '=', jobId)
    .where('i.removed_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { sourceUhash, credentials, signedByUs, signedUntil, trustList } = row;
  return {
    jobId,
    imageId: row.imageId,
    orders: row.orders,
    url: row.url,
    product: { id: row.productId, name: row.productName, url: row.productUrl },
    store: { id: row.storeId, name: row.storeName, url: row.storeUrl },
    sign: row.sign,
    ...(sourceUhash === null
      ? {}
      : { before: { sourceUhash, credentials, signedByUs, signedUntil, trustList } }),
    validators: {
      ...(row.etag === null ? {} : { etag: row.etag }),
      ...(row.lastModified === null ? {} : { lastModified: row.lastModified }),
    },
    ...(row.trouble?.since === undefined ? {} : { awaySince: new Date(row.trouble.since) }),
  };
}

/** By what an image would be judged and signed now. */
export interface Standards {
  /** When a signature made now would end. */
  readonly renewedUntil: Date;
  /** SHA-256 of the trust list, hex. */
  readonly trustList: string;
  readonly now: Date;
}

/** Whether what was found last time is all that there is to find while the bytes are the same. */
export function isFinished(
  { before, sign }: Pick<ImageTask, 'before' | 'sign'>,
  { renewedUntil, trustList, now }: Standards,
): boolean {
  if (before === undefined || before.credentials === null) return false;
  const { credentials, signedByUs, signedUntil } = before;
  if (credentials.hasC2PA && before.trustList !== trustList) return false;
  if (signedByUs && signedUntil !== null) return isLasting({ until: signedUntil, sign, renewedUntil, now });
  return credentials.hasC2PA || credentials.hasManifest || !sign;
}
