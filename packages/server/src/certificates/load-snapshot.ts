import {
  type Coverage,
  coverageOf,
  type ImageCredentials,
  type ImageDetails,
  type ImageSnapshot,
  type NftRecord,
  type ProductSnapshot,
  type SignerTrust,
} from '@touchstone/certificate';
import { getBlob, pathOf } from '@touchstone/contract';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { createBatcher } from '../platform/batcher.ts';
import type { Database } from '../platform/database/database.ts';
import type { Platform, ProductsTable } from '../platform/database/tables.ts';
import { type NotActiveReason, publicState } from '../registry/product-state.ts';

/** What public endpoints need to know about one product, read in one statement, so that it is consistent. */
export interface LoadedProduct {
  readonly state: 'active' | 'not_active';
  /** Why it is not active. */
  readonly why?: NotActiveReason;
  readonly snapshot: ProductSnapshot;
  readonly merchantId: string;
  readonly storeId: string;
  readonly platform: Platform;
  /** All live domains of the store; verified: the merchant has proven that it controls the host. */
  readonly domains: readonly { readonly hostname: string; readonly verified: boolean }[];
  readonly coverage: Coverage;
}

/** A product together with one image of it. */
export interface LoadedAsset extends LoadedProduct {
  /** As in `snapshot.images`, with what only its own certificates contain. A file that is no image is not in `snapshot.images`. */
  readonly image: ImageSnapshot;
  readonly isImage: boolean;
}

/** Reads products and images; concurrent calls share a statement. */
export interface SnapshotLoader {
  /** `null`: unknown, disabled or deleted (spec "States and transitions": 404). */
  product(productId: string): Promise<LoadedProduct | null>;
  /** The same for many products, in their order, in a separate statement. */
  products(productIds: readonly string[]): Promise<readonly (LoadedProduct | null)[]>;
  /** `null`: unknown, removed from its product, or of a product that is unknown, disabled or deleted. */
  asset(imageId: string): Promise<LoadedAsset | null>;
}

/** Products per statement, and concurrent statements. */
const BATCH = { maxItems: 64, maxRunning: 3 };

export function createSnapshotLoader(db: Database): SnapshotLoader {
  return {
    product: createBatcher({ run: (ids: readonly string[]) => loadProducts(db, ids), ...BATCH }),
    products: (ids) => loadProducts(db, ids),
    asset: createBatcher({ run: (ids: readonly string[]) => loadAssets(db, ids), ...BATCH }),
  };
}

async function loadProducts(db: Database, productIds: readonly string[]): Promise<(LoadedProduct | null)[]> {
  const wanted = productIds.map((id) => id.toLowerCase());
  const rows = await readRows(db, sql`p.id = any(${wanted}::uuid[])`);
  const loaded = new Map(rows.map((row) => [row.id, toLoaded(row)]));
  return wanted.map((id) => loaded.get(id) ?? null);
}

async function loadAssets(db: Database, imageIds: readonly string[]): Promise<(LoadedAsset | null)[]> {
  const wanted = imageIds.map((id) => id.toLowerCase());
  const rows = await readRows(
    db,
    sql`p.id in (select product_id from images where id = any(${wanted}::uuid[]) and removed_at is null)`,
  );
  const loaded = new Map<string, LoadedAsset>();
  for (const row of rows) {
    const product = toLoaded(row);
    if (product === null) continue;
    for (const image of row.images)
      loaded.set(image.id, {
        ...product,
        isImage: isImage(image),
        image: { ...toImage(image), about: detailsOf(image) },
      });
  }
  return wanted.map((id) => loaded.get(id) ?? null);
}

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
  | 'visible'
  | 'disabled'
  | 'deleted_at'
  | 'host_known'
  | 'slot_order';

interface Row extends Pick<Selectable<ProductsTable>, ProductColumn> {
  paused: boolean;
  store_name: string;
  store_url: string;
  platform: Platform;
  domains: { hostname: string; verified: boolean }[];
  images: ImageRow[];
}

/** A row as it is read: PostgreSQL writes lists of values in half the time of objects. */
interface ReadRow extends Omit<Row, 'domains' | 'images'> {
  domains: [hostname: string, verified: boolean][];
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

interface ImageRow {
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

async function readRows(db: Database, which: RawBuilder<unknown>): Promise<Row[]> {
  const image = sql.join(IMAGE_COLUMNS.map((name) => sql.ref(`i.${name}`)));
  const { rows } = await sql<ReadRow>`
    select p.id, p.store_id, p.merchant_id, p.external_product_id, p.name, p.url, p.host, p.sku, p.gtin, p.brand,
      p.attributes, p.visible, p.disabled, p.deleted_at, p.host_known, p.slot_order, m.paused,
      s.name as store_name, s.url as store_url, s.platform,
      (select coalesce(json_agg(json_build_array(d.hostname, o.hostname is not null) order by d.hostname), '[]')
         from domains d
         left join hostname_owners o on o.hostname = d.hostname and o.merchant_id = p.merchant_id
        where d.store_id = p.store_id and d.lost_at is null) as domains,
      (select coalesce(json_agg(json_build_array(${image}) order by i.position, i.id), '[]')
         from images i where i.product_id = p.id and i.removed_at is null) as images
    from products p
    join stores s on s.id = p.store_id and s.deleted_at is null
    join merchants m on m.id = p.merchant_id
    where ${which}`.execute(db);
  return rows.map((row) => ({
    ...row,
    domains: row.domains.map(([hostname, verified]) => ({ hostname, verified })),
    images: row.images.map(imageRow),
  }));
}

/** A loop, because `Object.fromEntries` takes three times as long, and a product has several images. */
function imageRow(values: readonly unknown[]): ImageRow {
  const row: Partial<Record<keyof ImageRow, unknown>> = {};
  for (const [index, name] of IMAGE_COLUMNS.entries()) row[name] = values[index];
  return row as ImageRow;
}

function toLoaded(row: Row): LoadedProduct | null {
  // a lost host counts at once, even if the product's row has not been updated yet
  const isLive = row.domains.some(({ hostname }) => hostname === row.host);
  const state = publicState({ ...row, host_known: row.host_known && isLive });
  if (state.kind === 'absent') return null;
  const images = row.images.filter(isImage).map(toImage);
  return {
    state: state.kind,
    ...(state.kind === 'not_active' ? { why: state.why } : {}),
    snapshot: toSnapshot(row, images),
    merchantId: row.merchant_id,
    storeId: row.store_id,
    platform: row.platform,
    domains: row.domains,
    coverage: coverageOf(images),
  };
}

function toSnapshot(row: Row, images: readonly ImageSnapshot[]): ProductSnapshot {
  return {
    productId: row.id,
    externalProductId: row.external_product_id,
    name: row.name,
    // as browsers write it (WHATWG URL); only the registry shows the merchant's spelling
    url: new URL(row.url).href,
    domain: row.host,
    storeName: row.store_name,
    storeUrl: row.store_url,
    ...(row.sku === null ? {} : { sku: row.sku }),
    ...(row.gtin === null ? {} : { gtin: row.gtin }),
    ...(row.brand === null ? {} : { brand: row.brand }),
    attributes: row.attributes,
    images,
  };
}

function toImage(row: ImageRow): ImageSnapshot {
  return {
    imageId: row.id,
    contentUrl: row.url,
    ...(row.media_type === null ? {} : { encodingFormat: row.media_type }),
    ...(row.width === null ? {} : { width: row.width }),
    ...(row.height === null ? {} : { height: row.height }),
    ...(row.upload_date === null ? {} : { uploadDate: new Date(row.upload_date).toISOString() }),
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    ...(row.credentials === null ? {} : { credentials: credentialsOf(row, row.credentials) }),
    ...(row.given_up ? { givenUp: true } : {}),
  };
}

/** Files not scanned yet count as images. */
function isImage({ media_type: mediaType }: ImageRow): boolean {
  return mediaType === null || mediaType.startsWith('image/');
}

/** With the file that the shop served at the last scan. */
function credentialsOf(
  { blob_key: key, source_uhash: source }: ImageRow,
  credentials: ImageCredentials,
): ImageCredentials {
  if (key === null || source === null) return credentials;
  const certified = uhashOfKey(key);
  if (certified === source) return { ...credentials, served: 'certified' };
  // only together with the hash of the certified file, so that both can be compared
  const hash = credentials.hashes === undefined ? {} : { sourceUhash: source };
  return { ...credentials, ...hash, served: 'source' };
}

/** A blob is named by the SHA-256 of its bytes. */
const uhashOfKey = (key: string) => key.slice(0, key.indexOf('.'));

/** What only an image's own certificates contain. Further findings about its bytes belong here. */
function detailsOf(row: ImageRow): ImageDetails {
  const { nft, credentials, blob_key, trust } = row;
  return {
    updatedAt: new Date(row.scanned_at ?? row.created_at).toISOString(),
    ...(blob_key === null ? {} : { assetPath: pathOf(getBlob, { blob: blob_key }) }),
    ...(trust === null ? {} : { signerTrust: trust }),
    // a token is about the bytes it was minted for, and no others
    ...(nft?.standard === undefined || nft.uhash !== credentials?.hashes?.uhash ? {} : { nft }),
  };
}
