import { type ImageOwner, imageFileOf, otherStoreOf } from '@touchstone/certificate/binding';
import { printable } from '@touchstone/certificate/text';
import { compareImages, type Hashes, type Likeness, uhash } from '@touchstone/image';
import type { ImageWorkers } from '@touchstone/image/node';
import { type PageCode, pageNote } from '@touchstone/page';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';
import { certifiedElsewhere } from './certified-files.ts';
import { createReadImages, type PageImages, type ReadImages, type ReadImagesOptions } from './page-images.ts';

/** The images of a page, to be compared with certified ones. */
export type MatchRequest = PageImages &
  (
    | {
        /** The product that the page's certificate names; absent: none in the registry. */
        readonly productId: string | undefined;
      }
    | {
        /** Address of a page without a certificate. */
        readonly uncertified: string;
        /** The merchant who asks. */
        readonly viewer: string | undefined;
      }
  );

/**
 * Reports which images of a page are certified, as findings (`code: sentence`): for the product that its certificate names, or, if it
 * carries none, for any shop on a proven host, by their bytes alone. It does not throw for errors with an image, nor affect the
 * verdict on the page.
 */
export type MatchImages = (request: MatchRequest) => Promise<string[]>;

export interface MatchOptions extends ReadImagesOptions {
  readonly workers: Pick<ImageWorkers, 'inspect'>;
  readonly trusted: TrustedRows;
}

export function createMatchImages(options: MatchOptions): MatchImages {
  const readImages = createReadImages(options);
  return async (request) => {
    if ('uncertified' in request) return matchAny(request, readImages, options);
    const known = request.productId === undefined ? null : await knownImages(options.db, request.productId);
    if (known === null) return [pageNote('images_not_compared')];
    const { images, capped } = await readImages(request, (bytes) => codeOfBytes(bytes, known, options));
    const findings = images.map(({ url, result = 'image_unread' }) => pageNote(result, printable(url)));
    return capped ? [...findings, pageNote('images_capped')] : findings;
  };
}

/** Compares the bytes of all images with those that any shop has certified. */
async function matchAny(
  page: Extract<MatchRequest, { readonly uncertified: string }>,
  readImages: ReadImages,
  { db, trusted }: MatchOptions,
): Promise<string[]> {
  const { images, capped } = await readImages(page, uhash);
  const hashes = images.flatMap(({ result }) => result ?? []);
  const unread = images.filter(({ result }) => result === undefined);
  return [
    ...(await certifiedElsewhere(hashes, page.uncertified, { db, trusted }, page.viewer)),
    ...unread.map(({ url }) => pageNote('image_unread', printable(url))),
    ...(capped ? [pageNote('images_capped')] : []),
  ];
}

/** The images of a product in the registry. */
interface KnownImages {
  readonly owner: ImageOwner;
  readonly certified: readonly CertifiedImage[];
  /** SHA-256 of images that were signed for another store. */
  readonly issuedToOthers: ReadonlySet<string>;
}

interface CertifiedImage extends Hashes {
  readonly sourceUhash: string;
}

interface Row {
  blob_uhash: string | null;
  source_uhash: string;
  phash: string | null;
  frame_code: string | null;
  appearance: string | null;
  hosts: (string | null)[];
}

/** The images of an active product; `null` if there are none or the product is not active. */
async function knownImages(db: Database, productId: string): Promise<KnownImages | null> {
  const { rows } = await sql<Row>`
    select left(i.blob_key, 64) as blob_uhash, i.source_uhash, i.credentials->'hashes'->>'phash' as phash,
      i.frame_code, i.appearance,
      array(select hostname from domains d
        where d.merchant_id = p.merchant_id and store_id = p.store_id and lost_at is null) || p.host as hosts
    from images i
    join products p on p.merchant_id = i.merchant_id and p.id = i.product_id
    join merchants m on m.id = p.merchant_id
    join stores s on s.merchant_id = p.merchant_id and s.id = p.store_id and s.deleted_at is null
    where p.merchant_id = (select merchant_id from directory where id = ${productId}) and p.id = ${productId}
      and i.removed_at is null
      and (i.blob_key is not null or i.credentials->>'finding' = 'image_issued_to_another_store')
      and p.slot_order is not null and p.deleted_at is null and not m.paused`.execute(db);
  if (rows.length === 0) return null;
  const certified = rows.flatMap(
    ({ blob_uhash: blobUhash, source_uhash: sourceUhash, phash, frame_code: frameCode, appearance }) =>
      blobUhash === null
        ? []
        : [
            {
              uhash: blobUhash,
              sourceUhash,
              ...(phash && { phash }),
              ...(frameCode && { frameCode }),
              ...(appearance && { appearance }),
            },
          ],
  );
  const others = rows.filter((row) => row.blob_uhash === null).map((row) => row.source_uhash);
  const hosts = (rows[0]?.hosts ?? []).filter((host) => host !== null);
  return { owner: { productId, hosts }, certified, issuedToOthers: new Set(others) };
}

/** The closest likeness first. */
const COPIES: readonly (readonly [Likeness, PageCode])[] = [
  ['same_picture', 'image_copy'],
  ['similar', 'image_similar'],
];

/** The code of the closest certified image. Bytes are compared first, which needs no decoding. */
async function codeOfBytes(
  bytes: Uint8Array,
  { owner, certified, issuedToOthers }: KnownImages,
  { workers }: Pick<MatchOptions, 'workers'>,
): Promise<PageCode> {
  const live = await uhash(bytes);
  const files = certified.map((image) => imageFileOf(live, image));
  if (files.includes('certified')) return 'image_same';
  if (files.includes('source')) return 'image_source';
  if (issuedToOthers.has(live)) return 'image_issued_to_another_store';
  const inspected = await workers.inspect(bytes);
  const { manifest } = inspected;
  if (manifest.valid && otherStoreOf(manifest.assertions, owner) !== null)
    return 'image_issued_to_another_store';
  const found = new Set(certified.map((image) => compareImages(inspected, image).likeness));
  return COPIES.find(([likeness]) => found.has(likeness))?.[1] ?? 'image_not_certified';
}
