import { hostOf } from '@touchstone/certificate/binding';
import { pageNote } from '@touchstone/page';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { codeOf } from '../../platform/database/database-fault.ts';
import { type OwnerRow, ownerOf, ownerRow, readOwner } from '../../platform/database/hostname-owners.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';

/** Merchants whose certifications of one file are read; of more than one, nothing is said but that there are several. */
const MAX_MERCHANTS = 20;
/** Certifications that are read of a merchant's images with the same bytes, oldest first: a shop may show one file with all products. */
const MAX_OF_MERCHANT = 50;

/** SQLSTATE: Citus runs no recursive query over all merchants. Nothing is said of pictures there. */
const NOT_SUPPORTED = '0A000';

/** Who publishes a certificate of a file now. */
interface CertifiedFile {
  readonly hash: string;
  readonly merchantId: string;
  readonly host: string;
  readonly since: Date;
  /** Whether its merchant may be named to others. */
  readonly isNamed: boolean;
}

/**
 * Which of these files, the pictures of a page without a certificate, are certified for other shops than that of the page, as findings:
 * by published certificates on proven hosts alone. Only facts: who made a picture does not follow from any of them, and nothing at all
 * from a picture that several unrelated merchants have certified. The work is limited per file.
 *
 * @param hashes - SHA-256, hex
 * @param viewer - the merchant who asks, who sees its own hosts though it does not want to be named
 */
export async function certifiedElsewhere(
  hashes: readonly string[],
  pageUrl: string,
  { db, trusted }: { readonly db: Database; readonly trusted: TrustedRows },
  viewer?: string,
): Promise<string[]> {
  const files = await readFiles([...new Set(hashes)], { db, trusted }).catch((error: unknown) => {
    if (codeOf(error) === NOT_SUPPORTED) return null;
    throw error;
  });
  if (files === null) return [];
  const isTold = ({ isNamed, merchantId }: CertifiedFile) => isNamed || merchantId === viewer;
  if (!files.some(isTold)) return [pageNote('pictures_not_certified')];
  const owner = await readOwner(db, trusted, hostOf(pageUrl) ?? '');
  const shared = new Set(files.filter((file) => files.some(isOfAnother(file))).map(({ hash }) => hash));
  const elsewhere = Map.groupBy(
    files.filter((file) => isTold(file) && !shared.has(file.hash) && file.merchantId !== owner?.merchant_id),
    ({ host }) => host,
  );
  const told = new Set(files.filter((file) => shared.has(file.hash) && isTold(file)).map(({ hash }) => hash))
    .size;
  return [
    ...[...elsewhere].map(([host, found]) => {
      const since = found
        .map((file) => file.since.toISOString())
        .toSorted()[0]
        ?.slice(0, 10);
      const count = new Set(found.map(({ hash }) => hash)).size;
      return pageNote('pictures_certified_elsewhere', `${host}, since ${since}; ${pictures(count)}`);
    }),
    ...(told === 0 ? [] : [pageNote('pictures_certified_by_several', pictures(told))]),
  ];
}

const isOfAnother = (file: CertifiedFile) => (other: CertifiedFile) =>
  other.hash === file.hash && other.merchantId !== file.merchantId;

const pictures = (count: number) => (count === 1 ? '1 picture' : `${count} pictures`);

interface Row {
  readonly hash: string;
  readonly merchant_id: string;
  readonly host: string;
  readonly since: Date;
  readonly is_named: boolean;
  readonly owner: OwnerRow;
}

/** Each file with the hosts for which it is certified; the certified file itself, or the one from which it was made. */
async function readFiles(
  hashes: readonly string[],
  { db, trusted }: { readonly db: Database; readonly trusted: TrustedRows },
): Promise<CertifiedFile[]> {
  // the next merchant of each file is looked for behind the last one, so that no merchant's many images are read
  const { rows } = await sql<Row>`
    with recursive wanted as (select unnest(${hashes}::text[]) as hash),
    merchants_of (hash, is_source, merchant_id, place) as (
      select hash, is_source, null::uuid, 0 from wanted, (values (false), (true)) as kinds (is_source)
      union all
      select m.hash, m.is_source, next.merchant_id, m.place + 1
      from merchants_of m
      cross join lateral (
        (select c.merchant_id from image_certifications c
          where not m.is_source and left(c.blob_key, 64) = m.hash
            and c.merchant_id > coalesce(m.merchant_id, '00000000-0000-0000-0000-000000000000')
          order by c.merchant_id limit 1)
        union all
        (select c.merchant_id from image_certifications c
          where m.is_source and c.source_uhash = m.hash and left(c.blob_key, 64) <> c.source_uhash
            and c.merchant_id > coalesce(m.merchant_id, '00000000-0000-0000-0000-000000000000')
          order by c.merchant_id limit 1)) next
      where m.place < ${MAX_MERCHANTS})
    select m.hash, m.merchant_id, published.host, min(c.first_certified_at) as since,
      not exists (select from site_opt_outs x where x.merchant_id = m.merchant_id) as is_named,
      (array_agg(published.owner))[1] as owner
    from merchants_of m
    cross join lateral (
      (select * from image_certifications c
        where not m.is_source and left(c.blob_key, 64) = m.hash and c.merchant_id = m.merchant_id
        order by c.first_certified_at limit ${MAX_OF_MERCHANT})
      union all
      (select * from image_certifications c
        where m.is_source and c.source_uhash = m.hash and left(c.blob_key, 64) <> c.source_uhash
          and c.merchant_id = m.merchant_id
        order by c.first_certified_at limit ${MAX_OF_MERCHANT})) c
    -- with its limit, it is looked up for each of these images, however many products the merchant has
    cross join lateral (
      select p.host, ${ownerRow('o')} as owner
      from images i
      join products p on p.merchant_id = i.merchant_id and p.id = i.product_id
        and product_standing(p.deleted_at, p.disabled, p.visible, p.host_known, p.slot_order) = 'active'
      join merchants on merchants.id = p.merchant_id and not merchants.paused
      join stores s on s.merchant_id = p.merchant_id and s.id = p.store_id and s.deleted_at is null
      join domains d on d.merchant_id = p.merchant_id and d.store_id = p.store_id and d.hostname = p.host and d.lost_at is null
      join hostname_owners o on o.hostname = p.host and o.merchant_id = p.merchant_id
      where i.merchant_id = c.merchant_id and i.id = c.image_id and i.removed_at is null
        and i.source_uhash = c.source_uhash and i.blob_key = c.blob_key
      limit 1) published
    group by m.hash, m.merchant_id, published.host`.execute(db);
  return rows
    .filter(({ owner }) => ownerOf(trusted, owner) !== null)
    .map(({ hash, merchant_id: merchantId, host, since, is_named: isNamed }) => ({
      hash,
      merchantId,
      host,
      since,
      isNamed,
    }));
}
