import type { ImageCredentials } from '@touchstone/certificate';
import { hostOf } from '@touchstone/certificate/binding';
import type { Validators } from '@touchstone/page/fetch';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import type { Job } from '../platform/jobs/job.ts';
import { IMAGE_SCANS } from '../registry/products/product-images.ts';

/** One image to be scanned, with what is known of it and of whose it is. */
export interface ScanTask {
  readonly job: Job;
  readonly imageId: string;
  readonly url: string;
  readonly product: { readonly id: string; readonly name: string; readonly url: string };
  readonly store: { readonly id: string; readonly name: string; readonly url: string };
  /** Live hosts of the store, and those of its address and of the product page. */
  readonly hosts: readonly string[];
  /** The store asks for images without a manifest to be signed. */
  readonly sign: boolean;
  /** It asks so, too, for images whose manifest lies elsewhere. */
  readonly signRemote: boolean;
  /** Of the bytes that were scanned last, if any were. */
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
  /** Since when the service's own network or store was not reachable, if that ended the last attempt. */
  readonly unreachableSince?: Date;
}

/** The task of a job; `null` when the image has gone meanwhile, or the job is this node's no more. */
export async function loadTask(db: Database, job: Job): Promise<ScanTask | null> {
  const row = await db
    .selectFrom('jobs as j')
    .innerJoin('images as i', 'i.id', 'j.subject')
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
      sql<string[]>`array(select hostname from domains where store_id = s.id and lost_at is null)`.as(
        'hosts',
      ),
    ])
    .where('j.queue', '=', IMAGE_SCANS)
    .where('j.subject', '=', job.subject)
    .where('j.lease', '=', job.lease)
    .where('i.removed_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { sourceUhash, credentials, signedByUs, signedUntil, trustList } = row;
  return {
    job,
    imageId: row.imageId,
    url: row.url,
    product: { id: row.productId, name: row.productName, url: row.productUrl },
    store: { id: row.storeId, name: row.storeName, url: row.storeUrl },
    hosts: [...row.hosts, hostOf(row.storeUrl), hostOf(row.productUrl)].filter((host) => host !== null),
    sign: row.sign,
    signRemote: row.signRemote,
    ...(sourceUhash === null
      ? {}
      : { before: { sourceUhash, credentials, signedByUs, signedUntil, trustList } }),
    // after a failure or an order bytes are wanted, changed or not
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

/** By what an image would be judged and signed now. */
export interface Standards {
  /** When a signature made now would end. */
  readonly renewedUntil: Date;
  /** SHA-256 of the trust list, hex. */
  readonly trustList: string;
  readonly now: Date;
}

/** Whether what was found last time is all that there is to find while the bytes are the same. */
export function isComplete(
  { before, sign }: Pick<ScanTask, 'before' | 'sign'>,
  { renewedUntil, trustList, now }: Standards,
): boolean {
  if (before === undefined || before.credentials === null) return false;
  const { credentials, signedByUs, signedUntil } = before;
  // hosts of the store and what it asks for decide these, and may have changed
  if (credentials.finding !== undefined) return false;
  if (credentials.hasC2PA && before.trustList !== trustList) return false;
  // certified without hashes: nobody had asked whether the picture can be decoded
  if (credentials.hasC2PA && credentials.hashes === undefined) return false;
  if (signedByUs && signedUntil !== null) return isLasting({ until: signedUntil, sign, renewedUntil, now });
  return credentials.hasC2PA || credentials.hasManifest || !sign;
}

/** Milliseconds before its end at which a signature is replaced. */
const AHEAD = 30 * 86_400_000;

/** What decides whether a signature of ours is left as it is. */
export interface SignatureTerms {
  readonly until: Date;
  /** The store still asks for signatures. */
  readonly sign: boolean;
  /** When one made now would end. */
  readonly renewedUntil: Date;
  readonly now: Date;
}

/** Whether a signature stands: it has not ended, and is not to be replaced by one that lasts longer. */
export function isLasting({ until, sign, renewedUntil, now }: SignatureTerms): boolean {
  if (until <= now) return false;
  return !sign || renewedUntil <= until || until.getTime() - now.getTime() > AHEAD;
}
