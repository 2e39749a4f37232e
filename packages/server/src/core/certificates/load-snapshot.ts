import { type Coverage, coverageOf, type ImageSnapshot, type ProductSnapshot } from '@touchstone/certificate';
import { type RawBuilder, sql } from 'kysely';
import { createBatcher } from '../../platform/batcher.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/database/tables.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';
import { type NotActiveReason, publicState } from '../registry/product-state.ts';
import { readSnapshotRows, type SnapshotRow } from './snapshot-rows.ts';
import { detailsOf, isImage, toImage, toSnapshot } from './to-snapshot.ts';

/** What public endpoints need to know about one product, read in one statement, so that it is consistent. */
export interface LoadedProduct {
  readonly state: 'active' | 'not_active';
  /** Why it is not active. */
  readonly why?: NotActiveReason;
  readonly snapshot: ProductSnapshot;
  /** Proofs issued until then were withdrawn for good; absent: none was. */
  readonly withdrawnAt?: Date;
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
  /** The same for many products of a merchant, in their order, in a separate statement. */
  products(merchantId: string, productIds: readonly string[]): Promise<readonly (LoadedProduct | null)[]>;
  /** `null`: unknown, removed from its product, or of a product that is unknown, disabled or deleted. */
  asset(imageId: string): Promise<LoadedAsset | null>;
}

/** Products per statement, and concurrent statements. */
const BATCH = { maxItems: 64, maxRunning: 3 };

/** @param trusted - tells which hosts are proven */
export function createSnapshotLoader(db: Database, trusted: TrustedRows): SnapshotLoader {
  return {
    product: createBatcher({
      run: (ids: readonly string[]) =>
        loadProducts(
          db,
          trusted,
          ids,
          (wanted) => sql`directory d
          join products on products.merchant_id = d.merchant_id and products.id = d.id where d.id = any(${wanted}::uuid[])`,
        ),
      ...BATCH,
    }),
    products: (merchantId, ids) =>
      loadProducts(
        db,
        trusted,
        ids,
        (wanted) => sql`products where merchant_id = ${merchantId} and id = any(${wanted}::uuid[])`,
        merchantId,
      ),
    asset: createBatcher({ run: (ids: readonly string[]) => loadAssets(db, trusted, ids), ...BATCH }),
  };
}

async function loadProducts(
  db: Database,
  trusted: TrustedRows,
  productIds: readonly string[],
  which: (ids: readonly string[]) => RawBuilder<unknown>,
  merchantId?: string,
): Promise<(LoadedProduct | null)[]> {
  const wanted = productIds.map((id) => id.toLowerCase());
  const rows = await readSnapshotRows(db, trusted, which(wanted), merchantId);
  const loaded = new Map(rows.map((row) => [row.id, toLoaded(row)]));
  return wanted.map((id) => loaded.get(id) ?? null);
}

async function loadAssets(
  db: Database,
  trusted: TrustedRows,
  imageIds: readonly string[],
): Promise<(LoadedAsset | null)[]> {
  const wanted = imageIds.map((id) => id.toLowerCase());
  const rows = await readSnapshotRows(
    db,
    trusted,
    sql`products where (merchant_id, id) in (
      select i.merchant_id, i.product_id from jobs j join directory d on d.id = j.owner
        join images i on i.merchant_id = d.merchant_id and i.id = j.subject
      where j.queue = 'image-scans' and j.subject = any(${wanted}::uuid[]) and i.removed_at is null)`,
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

function toLoaded(row: SnapshotRow): LoadedProduct | null {
  // a lost host counts at once, even if the product's row has not been updated yet
  const isLive = row.domains.some(({ hostname }) => hostname === row.host);
  const state = publicState({ ...row, host_known: row.host_known && isLive });
  if (state.kind === 'absent') return null;
  const images = row.images.filter(isImage).map(toImage);
  return {
    state: state.kind,
    ...(state.kind === 'not_active' ? { why: state.why } : {}),
    snapshot: toSnapshot(row, images),
    ...(row.withdrawn_at === null ? {} : { withdrawnAt: row.withdrawn_at }),
    merchantId: row.merchant_id,
    storeId: row.store_id,
    platform: row.platform,
    domains: row.domains,
    coverage: coverageOf(images),
  };
}
