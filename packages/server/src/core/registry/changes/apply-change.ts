import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { orderSubjects } from '../../../platform/jobs/order-jobs.ts';
import { CHANGED, changedBy, type Followed } from '../changed-products.ts';
import { IMAGE_SCANS } from '../products/product-images.ts';
import { concerned, type ProductChange } from './concerned-products.ts';

/** The result of one batch. */
export interface Batch
  extends Pick<Followed, 'changed' | 'isAnnounced' | 'changeId' | 'keyId' | 'withdrawn'> {
  /** Products that were checked. */
  readonly read: number;
  /** The last of them, in the order of creation; `null`: no others follow. */
  readonly readTo: string | null;
  /** Seats that were released. */
  readonly released: number;
}

/** Updates the next products after `from` to match their store and its domains, under the merchant's lock. */
export async function applyChange(
  trx: DatabaseTransaction,
  merchantId: string,
  change: ProductChange,
  from: string,
  limit: number,
): Promise<Batch> {
  if (change.kind === 'image_signing') return orderSigning(trx, merchantId, change, from, limit);
  const { rows } = await sql<Concerned>`
    select id, created_order, slot_order is not null as held, host_known from products
    where ${concerned(merchantId, change)} and created_order > ${from} order by created_order limit ${limit}`.execute(
    trx,
  );
  const followed =
    change.kind === 'domain'
      ? await followDomain(trx, merchantId, change, rows)
      : await followDeletion(trx, merchantId, change, rows);
  return { read: rows.length, readTo: behind(rows, limit), ...followed };
}

type Outcome = Pick<Batch, 'released' | 'changed' | 'isAnnounced'>;

interface Concerned {
  readonly id: string;
  /** bigint, as text. */
  readonly created_order: string;
  readonly held: boolean;
  readonly host_known: boolean;
}

function behind(rows: readonly { readonly created_order: string }[], limit: number): string | null {
  return rows.length < limit ? null : (rows.at(-1)?.created_order ?? null);
}

/** Marks products of a deleted store; they have been answered with 404 since its deletion. */
async function followDeletion(
  trx: DatabaseTransaction,
  merchantId: string,
  { storeId }: ProductChange,
  rows: readonly Concerned[],
): Promise<Outcome> {
  const ids = rows.map(({ id }) => id);
  const changed = await changedBy(
    trx,
    sql`
    update products p set deleted_at = s.deleted_at, updated_at = s.deleted_at, slot_order = null
    from stores s
    where s.merchant_id = ${merchantId} and s.id = ${storeId} and p.merchant_id = ${merchantId} and p.id = any(${ids}::uuid[])
    returning ${CHANGED}`,
  );
  return { released: rows.filter(({ held }) => held).length, changed, isAnnounced: true };
}

/** By whether the host is a domain of the store now: it may have been lost and regained meanwhile. */
async function followDomain(
  trx: DatabaseTransaction,
  merchantId: string,
  { storeId, hostname }: ProductChange,
  rows: readonly Concerned[],
): Promise<Outcome> {
  const domain = await trx
    .selectFrom('domains')
    .select('hostname')
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', storeId)
    .where('hostname', '=', hostname ?? '')
    .where('lost_at', 'is', null)
    .executeTakeFirst();
  const isKnown = domain !== undefined;
  const others = rows.filter((row) => row.host_known !== isKnown);
  const ids = others.map(({ id }) => id);
  const set = isKnown ? sql`host_known = true` : sql`host_known = false, slot_order = null`;
  const changed = await changedBy(
    trx,
    sql`update products p set ${set}
      where merchant_id = ${merchantId} and id = any(${ids}::uuid[]) returning ${CHANGED}`,
  );
  if (isKnown) return { released: 0, changed };
  return { released: others.filter(({ held }) => held).length, changed, isAnnounced: true };
}

/** Orders scans of images to be signed: of those without a manifest, and of those being scanned. */
async function orderSigning(
  trx: DatabaseTransaction,
  merchantId: string,
  change: ProductChange,
  from: string,
  limit: number,
): Promise<Batch> {
  const unsigned = sql`i.removed_at is null and (i.credentials is null or i.credentials->>'hasManifest' = 'false')`;
  const { rows } = await sql<{ created_order: string; images: string[] }>`
    select created_order, array(select i.id::text from images i
        where i.merchant_id = products.merchant_id and i.product_id = products.id and ${unsigned}) as images
    from products
    where ${concerned(merchantId, change)} and created_order > ${from} order by created_order limit ${limit}`.execute(
    trx,
  );
  await orderSubjects(
    trx,
    IMAGE_SCANS,
    rows.flatMap(({ images }) => images),
  );
  return { read: rows.length, readTo: behind(rows, limit), released: 0, changed: [] };
}
