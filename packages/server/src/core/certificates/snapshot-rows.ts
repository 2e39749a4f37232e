import type { ControlSnapshot, ImageCredentials, NftRecord, SignerTrust } from '@touchstone/certificate';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import {
  type HostnameOwner,
  type OwnerRow,
  ownerOf,
  ownerRow,
} from '../../platform/database/hostname-owners.ts';
import type { Platform, ProductsTable } from '../../platform/database/tables.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';

type ProductColumn =
  | 'id'
  | 'store_id'
  | 'merchant_id'
  | 'external_product_id'
  | 'name'
  | 'url'
  | 'host'
  | 'sku'
  | 'gtin'
  | 'brand'
  | 'attributes'
  | 'price'
  | 'priced_at'
  | 'visible'
  | 'disabled'
  | 'deleted_at'
  | 'host_known'
  | 'slot_order'
  | 'withdrawn_at';

/** A product with what its certificates say of its store and its images. */
export interface SnapshotRow extends Pick<Selectable<ProductsTable>, ProductColumn> {
  paused: boolean;
  store_name: string;
  store_url: string;
  /** Certificates of the store sign prices. */
  sign_prices: boolean;
  platform: Platform;
  domains: { hostname: string; verified: boolean }[];
  /** How control of `host` is proven. */
  control: ControlSnapshot;
  images: ImageRow[];
}

/** A row as read from the database: PostgreSQL serializes arrays in half the time of objects. */
interface ReadRow extends Omit<SnapshotRow, 'domains' | 'control' | 'images'> {
  hostnames: string[];
  /** Of those of its hosts that the merchant has proven. */
  owners: NonNullable<OwnerRow>[];
  images: unknown[][];
}

const IMAGE_COLUMNS = [
  'id',
  'url',
  'media_type',
  'width',
  'height',
  'upload_date',
  'external_id',
  'credentials',
  'nft',
  'blob_key',
  'trust',
  'source_uhash',
  'given_up',
  'created_at',
  'scanned_at',
] as const satisfies readonly (keyof ImageRow)[];

export interface ImageRow {
  id: string;
  url: string;
  media_type: string | null;
  width: number | null;
  height: number | null;
  upload_date: string | null;
  external_id: string | null;
  credentials: ImageCredentials | null;
  nft: NftRecord | null;
  blob_key: string | null;
  source_uhash: string | null;
  given_up: boolean;
  trust: SignerTrust | null;
  created_at: string;
  scanned_at: string | null;
}

/**
 * Reads products, in any order.
 *
 * @param which - what follows `from`, with `products` found by their keys. Materialized, since a planner without statistics of a new
 *   database takes the products of a store for a few, and would read all of them to find those that are asked for. What lies with
 *   the merchant is materialized before the owners of hosts are joined, which lie in one place.
 * @param merchantId - of all of them, if it is known: then other merchants' shards are not asked
 */
export async function readSnapshotRows(
  db: Database,
  trusted: TrustedRows,
  which: RawBuilder<unknown>,
  merchantId?: string,
): Promise<SnapshotRow[]> {
  const merchant = merchantId === undefined ? sql`s.merchant_id` : sql`${merchantId}`;
  const image = sql.join(IMAGE_COLUMNS.map((name) => sql.ref(`i.${name}`)));
  const { rows } = await sql<ReadRow>`
    with p as materialized (select products.* from ${which}),
      told as materialized (
        select p.id, p.store_id, p.merchant_id, p.external_product_id, p.name, p.url, p.host, p.sku, p.gtin, p.brand,
          p.attributes, p.price, p.priced_at, p.visible, p.disabled, p.deleted_at, p.host_known, p.slot_order, p.withdrawn_at, m.paused,
          s.name as store_name, s.url as store_url, s.sign_prices, s.platform,
          array(select d.hostname from domains d
             where d.merchant_id = ${merchant} and d.store_id = s.id and d.lost_at is null order by d.hostname) as hostnames,
          (select coalesce(json_agg(json_build_array(${image}) order by i.position, i.id), '[]')
             from images i where i.merchant_id = ${merchant} and i.product_id = p.id and i.removed_at is null) as images
        from p
        join stores s on s.merchant_id = p.merchant_id and s.id = p.store_id and s.deleted_at is null
        join merchants m on m.id = s.merchant_id
        ${merchantId === undefined ? sql`` : sql`where s.merchant_id = ${merchantId}`})
    select told.*, (select coalesce(json_agg(${ownerRow('o')}), '[]') from hostname_owners o
      where o.hostname = any(told.hostnames) and o.merchant_id = told.merchant_id) as owners
    from told`.execute(db);
  return rows.map(({ hostnames, owners, ...row }) => {
    const owned = hostnames.map((hostname) => {
      const owner = owners.find((proven) => proven.hostname === hostname) ?? null;
      return { hostname, owner: ownerOf(trusted, owner) };
    });
    return {
      ...row,
      domains: owned.map(({ hostname, owner }) => ({ hostname, verified: owner !== null })),
      control: controlOf(owned.find(({ hostname }) => hostname === row.host)?.owner),
      images: row.images.map(imageRow),
    };
  });
}

function controlOf(owner: HostnameOwner | null | undefined): ControlSnapshot {
  if (!owner) return { method: 'none' };
  const { method, confirmed_at: checked, proven_at: proven } = owner;
  return { method, checkedAt: checked.toISOString(), provenAt: proven.toISOString() };
}

/** A loop, because `Object.fromEntries` takes three times as long, and a product has several images. */
function imageRow(values: readonly unknown[]): ImageRow {
  const row: Partial<Record<keyof ImageRow, unknown>> = {};
  for (const [index, name] of IMAGE_COLUMNS.entries()) row[name] = values[index];
  return row as ImageRow;
}
