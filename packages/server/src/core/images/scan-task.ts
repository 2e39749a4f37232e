import type { ImageCredentials } from '@touchstone/certificate';
import { hostOf } from '@touchstone/certificate/binding';
import type { Validators } from '@touchstone/fetch';
import type { Database } from '../../platform/database/database.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { IMAGE_SCANS } from '../registry/products/product-images.ts';

/** An image to be scanned, with its product, its store and the result of the previous scan. */
export interface ScanTask {
  readonly job: Job;
  readonly merchantId: string;
  readonly imageId: string;
  readonly url: string;
  readonly product: { readonly id: string; readonly name: string; readonly url: string };
  readonly store: { readonly id: string; readonly name: string; readonly url: string };
  /** Domains of the store that it has not lost, and the hosts of its address and of the product page. */
  readonly hosts: readonly string[];
  /** The store asks for images without a manifest to be signed. */
  readonly sign: boolean;
  /** The same for images with a remote manifest. */
  readonly signRemote: boolean;
  /** The bytes at the previous scan, if there was one. */
  readonly before?: {
    readonly sourceUhash: string;
    readonly credentials: ImageCredentials | null;
    readonly signedByUs: boolean;
    /** When our signature of these bytes expires; `null`: we did not sign them. */
    readonly signedUntil: Date | null;
    /** SHA-256 of the trust list against which the signer was checked; `null`: unknown. */
    readonly trustList: string | null;
  };
  readonly validators: Validators;
  /** Since when our own network or blob store has been unavailable, if that made the last attempt fail. */
  readonly unreachableSince?: Date;
}

/** The task of a job; `null` if the image was removed meanwhile, or this node no longer holds the job. */
export async function loadTask(db: Database, job: Job): Promise<ScanTask | null> {
  const row = await db
    .selectFrom('jobs as j')
    .innerJoin('directory as d', 'd.id', 'j.owner')
    .innerJoin('images as i', (join) =>
      join.onRef('i.merchant_id', '=', 'd.merchant_id').onRef('i.id', '=', 'j.subject'),
    )
    .innerJoin('products as p', (join) =>
      join.onRef('p.merchant_id', '=', 'i.merchant_id').onRef('p.id', '=', 'i.product_id'),
    )
    .innerJoin('stores as s', (join) =>
      join.onRef('s.merchant_id', '=', 'p.merchant_id').onRef('s.id', '=', 'p.store_id'),
    )
    .leftJoin('image_certifications as c', (join) =>
      join
        .onRef('c.merchant_id', '=', 'i.merchant_id')
        .onRef('c.image_id', '=', 'i.id')
        .onRef('c.source_uhash', '=', 'i.source_uhash'),
    )
    .select([
      'i.merchant_id as merchantId',
      'i.id as imageId',
      'i.url',
      'i.source_uhash as sourceUhash',
      'i.credentials',
      'i.signed_by_us as signedByUs',
      'c.signed_until as signedUntil',
      'i.trust_list as trustList',
      'i.etag',
      'i.last_modified as lastModified',
      'j.result',
      'j.failure',
      'p.id as productId',
      'p.name as productName',
      'p.url as productUrl',
      's.id as storeId',
      's.name as storeName',
      's.url as storeUrl',
      's.sign_images as sign',
      's.sign_remote_manifests as signRemote',
    ])
    .where('j.queue', '=', IMAGE_SCANS)
    .where('j.subject', '=', job.subject)
    .where('j.lease', '=', job.lease)
    .where('i.removed_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const domains = await db
    .selectFrom('domains')
    .select('hostname')
    .where('merchant_id', '=', row.merchantId)
    .where('store_id', '=', row.storeId)
    .where('lost_at', 'is', null)
    .execute();
  const hosts = [...domains.map(({ hostname }) => hostname), hostOf(row.storeUrl), hostOf(row.productUrl)];
  const { sourceUhash, credentials, signedByUs, signedUntil, trustList } = row;
  return {
    job,
    merchantId: row.merchantId,
    imageId: row.imageId,
    url: row.url,
    product: { id: row.productId, name: row.productName, url: row.productUrl },
    store: { id: row.storeId, name: row.storeName, url: row.storeUrl },
    hosts: hosts.filter((host) => host !== null),
    sign: row.sign,
    signRemote: row.signRemote,
    ...(sourceUhash === null
      ? {}
      : { before: { sourceUhash, credentials, signedByUs, signedUntil, trustList } }),
    // after a failure or an order the bytes are needed even if they have not changed
    validators:
      row.result === 'done'
        ? {
            ...(row.etag === null ? {} : { etag: row.etag }),
            ...(row.lastModified === null ? {} : { lastModified: row.lastModified }),
          }
        : {},
    ...(row.failure?.since === undefined ? {} : { unreachableSince: new Date(row.failure.since) }),
  };
}

/** The conditions under which an image would be checked and signed now. */
export interface ScanConditions {
  /** When a signature made now would expire. */
  readonly renewedUntil: Date;
  /** SHA-256 of the trust list, hex. */
  readonly trustList: string;
  readonly now: Date;
}

/** Whether another scan of the same bytes would give the same result. */
export function isComplete(
  { before, sign }: Pick<ScanTask, 'before' | 'sign'>,
  { renewedUntil, trustList, now }: ScanConditions,
): boolean {
  if (before === undefined || before.credentials === null) return false;
  const { credentials, signedByUs, signedUntil } = before;
  // findings depend on the domains and settings of the store, which may have changed
  if (credentials.finding !== undefined) return false;
  if (credentials.hasC2PA && before.trustList !== trustList) return false;
  // certified by a version that did not check whether the pixels can be decoded
  if (credentials.hasC2PA && credentials.hashes === undefined) return false;
  if (signedByUs && signedUntil !== null) return isLasting({ until: signedUntil, sign, renewedUntil, now });
  return credentials.hasC2PA || credentials.hasManifest || !sign;
}

/** Milliseconds before its expiry from which a signature is renewed. */
const RENEW_BEFORE = 30 * 86_400_000;

/** What decides whether a signature of ours is kept. */
export interface SignatureTerms {
  readonly until: Date;
  /** The store still asks for signatures. */
  readonly sign: boolean;
  /** When a signature made now would expire. */
  readonly renewedUntil: Date;
  readonly now: Date;
}

/** Whether a signature is kept: it has not expired, and need not be renewed by one that lasts longer. */
export function isLasting({ until, sign, renewedUntil, now }: SignatureTerms): boolean {
  if (until <= now) return false;
  return !sign || renewedUntil <= until || until.getTime() - now.getTime() > RENEW_BEFORE;
}
