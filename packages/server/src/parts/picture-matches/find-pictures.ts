import { compareImages, pictureQuestion } from '@touchstone/image';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { type OwnerRow, ownerOf, ownerRow } from '../../platform/database/hostname-owners.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';
import { type FoundCode, findCodes } from './find-codes.ts';
import type { ReadPicture } from './readings.ts';

/** Codes of each picture whose images are looked up, the closest first. */
const MAX_CODES = 12;
/** Merchants that are read of each code: of more than one, nothing is said but that there are several. */
const MAX_MERCHANTS = 20;
/** Images of a merchant with one code: a shop may show one file with all products. */
const MAX_IMAGES = 20;
/** Appearances that are read and compared, for all pictures of a page. */
const MAX_COMPARED = 50;

/** A certified picture that is the same as one of a page. */
export interface CertifiedPicture {
  /** Which picture of the page. */
  readonly picture: number;
  readonly merchantId: string;
  readonly imageId: string;
  readonly productId: string;
  /** Of its product, proven by the merchant. */
  readonly host: string;
  readonly since: Date;
  readonly name: string;
  readonly sku: string | null;
  readonly gtin: string | null;
  /** Whether who asks may be told of it: its store tells others, and its merchant may be named; or it is the merchant's own. */
  readonly told: boolean;
  /** Marked as the maker's. */
  readonly isMakers: boolean;
  /** Whether the host of the page belongs to the merchant, or may use its pictures. */
  readonly isOwn: boolean;
  readonly isAllowed: boolean;
}

export interface FoundPictures {
  /** By picture of the page: whether it could be compared; one with too little content cannot. */
  readonly compared: readonly boolean[];
  readonly found: readonly CertifiedPicture[];
  readonly capped: boolean;
}

export interface FindPicturesOptions {
  readonly db: Database;
  readonly trusted: TrustedRows;
  /** The merchant who asks. */
  readonly viewer?: string | undefined;
}

/**
 * The pictures that shops on proven hosts publish and that are the same as those of a page. The work is limited, whatever the index
 * contains.
 *
 * @param pageHosts - the host of the page, with and without `www.`
 * @throws ServiceError `database_unavailable`
 */
export async function findPictures(
  pictures: readonly (ReadPicture | null)[],
  pageHosts: readonly string[],
  { db, trusted, viewer }: FindPicturesOptions,
): Promise<FoundPictures> {
  const questions = pictures.map((picture) => (picture === null ? null : pictureQuestion(picture)));
  const compared = questions.map((question) => question !== null);
  const { codes, capped } = await findCodes(db, questions);
  const closest = [...Map.groupBy(codes, ({ picture }) => picture).values()].flatMap((of) =>
    of.slice(0, MAX_CODES),
  );
  if (closest.length === 0) return { compared, found: [], capped };
  const published = await readPublished(closest, pageHosts, { db, trusted, viewer });
  const candidates = inTurn(published).slice(0, MAX_COMPARED);
  const looks = await readAppearances(db, candidates);
  const found = candidates.filter(({ picture, imageId }) => {
    const [live, certified] = [pictures[picture], looks.get(imageId)];
    if (live === null || live === undefined || certified === undefined) return false;
    const { likeness } = compareImages(live, certified);
    return likeness === 'same_picture' || likeness === 'same_bytes';
  });
  return { compared, found, capped: capped || published.length > MAX_COMPARED };
}

type Candidate = CertifiedPicture & { readonly distance: number };

/** The closest image of each merchant and picture first, then the second ones: no merchant's many images keep those of another out. */
function inTurn(candidates: readonly Candidate[]): readonly Candidate[] {
  const groups = Map.groupBy(candidates, ({ picture, merchantId }) => `${picture} ${merchantId}`);
  return [...groups.values()]
    .flatMap((group) =>
      group
        .toSorted((a, b) => a.distance - b.distance || a.since.getTime() - b.since.getTime())
        .map((candidate, nth) => ({ candidate, nth })),
    )
    .toSorted((a, b) => a.nth - b.nth || a.candidate.distance - b.candidate.distance)
    .map(({ candidate }) => candidate);
}

interface Row {
  readonly n: number;
  readonly merchant_id: string;
  readonly image_id: string;
  readonly product_id: string;
  readonly host: string;
  readonly since: Date;
  readonly name: string;
  readonly sku: string | null;
  readonly gtin: string | null;
  readonly told: boolean;
  readonly is_makers: boolean | null;
  readonly is_own: boolean;
  readonly is_allowed: boolean | null;
  readonly owner: OwnerRow;
}

/** Who publishes the pictures with these codes now: certified images of active products on proven hosts. */
async function readPublished(
  codes: readonly FoundCode[],
  pageHosts: readonly string[],
  { db, trusted, viewer }: FindPicturesOptions,
): Promise<readonly Candidate[]> {
  // the next merchant of each code is looked for behind the last one, so that no merchant's many images are read
  const { rows } = await sql<Row>`
    with recursive pictured (n, is_square, code, merchant_id, place) as (
      select n, is_square, code, null::uuid, 0
      from unnest(${codes.map((_, n) => n)}::integer[], ${codes.map(({ kind }) => kind === 'square')}::boolean[],
        ${codes.map(({ code }) => code.toString())}::bigint[]) as asked (n, is_square, code)
      union all
      select m.n, m.is_square, m.code, next.merchant_id, m.place + 1
      from pictured m
      cross join lateral (
        (select c.merchant_id from picture_codes c where not m.is_square and c.frame_1 = m.code
            and c.merchant_id > coalesce(m.merchant_id, '00000000-0000-0000-0000-000000000000')
          order by c.merchant_id limit 1)
        union all
        (select c.merchant_id from picture_codes c where m.is_square and c.square_1 = m.code
            and c.merchant_id > coalesce(m.merchant_id, '00000000-0000-0000-0000-000000000000')
          order by c.merchant_id limit 1)) next
      where m.place < ${MAX_MERCHANTS})
    select m.n, m.merchant_id, c.image_id, published.*
    from pictured m
    cross join lateral (
      (select c.image_id from picture_codes c
        where not m.is_square and c.frame_1 = m.code and c.merchant_id = m.merchant_id limit ${MAX_IMAGES})
      union all
      (select c.image_id from picture_codes c
        where m.is_square and c.square_1 = m.code and c.merchant_id = m.merchant_id limit ${MAX_IMAGES})) c
    -- with its limit, it is looked up for each of these images, however many products the merchant has
    cross join lateral (
      select p.id as product_id, p.host, f.first_certified_at as since, p.name, p.sku, p.gtin,
        coalesce(w.told, true) and not exists (
          select from site_opt_outs x where x.merchant_id = p.merchant_id) as told, w.makers_pictures or i.id = any(w.makers_images) as is_makers,
        exists (select from domains other where other.merchant_id = p.merchant_id
          and other.hostname = any(${pageHosts}::text[])) as is_own,
        w.allowed_hosts && ${pageHosts}::text[] as is_allowed, ${ownerRow('o')} as owner
      from images i
      join image_certifications f on f.merchant_id = i.merchant_id and f.image_id = i.id
        and f.source_uhash = i.source_uhash and f.blob_key = i.blob_key
      join products p on p.merchant_id = i.merchant_id and p.id = i.product_id
        and product_standing(p.deleted_at, p.disabled, p.visible, p.host_known, p.slot_order) = 'active'
      join merchants on merchants.id = p.merchant_id and not merchants.paused
      join stores s on s.merchant_id = p.merchant_id and s.id = p.store_id and s.deleted_at is null
      join domains d on d.merchant_id = p.merchant_id and d.store_id = p.store_id and d.hostname = p.host and d.lost_at is null
      join hostname_owners o on o.hostname = p.host and o.merchant_id = p.merchant_id
      left join picture_settings w on w.merchant_id = p.merchant_id and w.store_id = p.store_id
      where i.merchant_id = m.merchant_id and i.id = c.image_id and i.removed_at is null
      limit 1) published`.execute(db);
  return rows
    .filter(({ owner }) => ownerOf(trusted, owner) !== null)
    .flatMap((row) => {
      const code = codes[row.n];
      if (code === undefined) return [];
      return [
        {
          picture: code.picture,
          distance: code.distance,
          merchantId: row.merchant_id,
          imageId: row.image_id,
          productId: row.product_id,
          host: row.host,
          since: row.since,
          name: row.name,
          sku: row.sku,
          gtin: row.gtin,
          told: row.told || row.merchant_id === viewer,
          isMakers: row.is_makers ?? false,
          isOwn: row.is_own,
          isAllowed: row.is_allowed ?? false,
        },
      ];
    });
}

interface Look {
  readonly uhash: string;
  readonly frameCode?: string;
  readonly appearance: string;
}

/** What the images look like, by id. */
async function readAppearances(db: Database, candidates: readonly Candidate[]): Promise<Map<string, Look>> {
  const { rows } = await sql<{ id: string; uhash: string; frame_code: string | null; appearance: string }>`
    select i.id, i.source_uhash as uhash, i.frame_code, i.appearance
    from unnest(${candidates.map(({ merchantId }) => merchantId)}::uuid[],
      ${candidates.map(({ imageId }) => imageId)}::uuid[]) as asked (merchant_id, image_id)
    join images i on i.merchant_id = asked.merchant_id and i.id = asked.image_id
    where i.appearance is not null and i.source_uhash is not null`.execute(db);
  return new Map(
    rows.map(({ id, uhash, frame_code: frameCode, appearance }) => [
      id,
      { uhash, appearance, ...(frameCode === null ? {} : { frameCode }) },
    ]),
  );
}
