import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { orderSubjects } from '../../../platform/jobs/order-jobs.ts';
import { IMAGE_SCANS } from '../products/product-images.ts';
import { concerned, type ProductChange } from './concerned-products.ts';

/** The result of one batch. */
export interface Batch {
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
  const released =
    change.kind === 'domain'
      ? await followDomain(trx, merchantId, change, rows)
      : await followDeletion(trx, merchantId, change, rows);
  return { read: rows.length, readTo: behind(rows, limit), released };
}

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
): Promise<number> {
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await quietly(trx);
  // certificates of a deleted store are deleted whatever the state of its products
  await sql`select set_config('touchstone.unseen', 'on', true)`.execute(trx);
  await sql`
    update products p set deleted_at = s.deleted_at, updated_at = s.deleted_at, slot_order = null
    from stores s
    where s.merchant_id = ${merchantId} and s.id = ${storeId} and p.merchant_id = ${merchantId} and p.id = any(${ids}::uuid[])`.execute(
    trx,
  );
  await sql`
    select reschedule_scans(
      array(select id from images where merchant_id = ${merchantId} and product_id = any(${ids}::uuid[]) and removed_at is null), true)`.execute(
    trx,
  );
  await sql`select set_config('touchstone.unseen', '', true)`.execute(trx);
  await loudly(trx);
  return rows.filter(({ held }) => held).length;
}

/** By whether the host is a domain of the store now: it may have been lost and regained meanwhile. */
async function followDomain(
  trx: DatabaseTransaction,
  merchantId: string,
  { storeId, hostname }: ProductChange,
  rows: readonly Concerned[],
): Promise<number> {
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
  if (others.length === 0) return 0;
  const ids = others.map(({ id }) => id);
  if (isKnown) {
    await sql`update products set host_known = true
      where merchant_id = ${merchantId} and id = any(${ids}::uuid[])`.execute(trx);
    return 0;
  }
  await quietly(trx);
  await sql`update products set host_known = false, slot_order = null
    where merchant_id = ${merchantId} and id = any(${ids}::uuid[])`.execute(trx);
  await loudly(trx);
  return others.filter(({ held }) => held).length;
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
  return { read: rows.length, readTo: behind(rows, limit), released: 0 };
}

/** Suppresses announcements of row changes: the change of their store or domain was announced, which covers them. */
const quietly = (trx: DatabaseTransaction) =>
  sql`select set_config('touchstone.quiet', 'on', true)`.execute(trx);
const loudly = (trx: DatabaseTransaction) =>
  sql`select set_config('touchstone.quiet', '', true)`.execute(trx);
