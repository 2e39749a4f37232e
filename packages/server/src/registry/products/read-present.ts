import type { ProductAttribute } from '@touchstone/certificate';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';

/** A product as it is, deleted ones included: they may come back. */
export interface PresentProduct {
  readonly id: string;
  readonly externalProductId: string;
  readonly name: string;
  readonly url: string;
  readonly sku: string | null;
  readonly gtin: string | null;
  readonly brand: string | null;
  readonly attributes: readonly ProductAttribute[];
  readonly visible: boolean;
  readonly hostKnown: boolean;
  readonly deleted: boolean;
  /** Removed ones included: they keep their ids. */
  readonly images: readonly PresentImage[];
}

export interface PresentImage {
  readonly id: string;
  readonly url: string;
  readonly externalId: string | null;
  readonly position: number;
  readonly removed: boolean;
}

/** Products of a store by their external ids. */
export async function readPresent(
  trx: DatabaseTransaction,
  storeId: string,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, PresentProduct>> {
  if (externalIds.length === 0) return new Map();
  const { rows } = await sql<PresentProduct>`
    select p.id, p.external_product_id as "externalProductId", p.name, p.url, p.sku, p.gtin, p.brand,
      p.attributes, p.visible, p.host_known as "hostKnown", p.deleted_at is not null as deleted,
      (select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'url', i.url, 'externalId', i.external_id,
              'position', i.position, 'removed', i.removed_at is not null) order by i.position, i.id), '[]')
         from images i where i.product_id = p.id) as images
    from products p
    where p.store_id = ${storeId} and p.external_product_id = any(${externalIds}::text[])`.execute(trx);
  return new Map(rows.map((row) => [row.externalProductId, row]));
}
