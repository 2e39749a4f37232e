import { hostOf } from '@touchstone/certificate/binding';
import { fitsProof, type RowError, type RowResult } from '@touchstone/contract';
import { ROW_FAULTS, type RowFaultType } from '@touchstone/contract/codes';
import { sql } from 'kysely';
import { type DatabaseTransaction, inTransaction } from '../../../platform/database/database.ts';
import { ServiceError } from '../../../platform/errors.ts';
import { eventLoopTurns } from '../../../platform/event-loop-turns.ts';
import type { Scope } from '../../../platform/http/access.ts';
import { followProducts } from '../changed-products.ts';
import { productChanges, type Registry } from '../context.ts';
import { findStore, type StoreKey } from '../find-store.ts';
import { bookSeats, type LockedMerchant, lockMerchant, settleSeats } from '../plan-seats.ts';
import { countColumns, type ProductCounts, roomOf } from '../product-limits.ts';
import { stateOf } from '../product-state.ts';
import { IdSet } from './id-set.ts';
import { type PresentProduct, planRows, type Step } from './plan-upsert.ts';
import { orderRescans, shownAfter } from './product-images.ts';
import { readPresent, writePlan } from './product-table.ts';
import { type CheckedRow, checkRow } from './read-rows.ts';

/** Rows, images and faults of rows that one transaction processes under the merchant's lock; a row with more has its own. */
const BATCH = 2_000;

/**
 * Brings products of a store in line with the shop's rows, by `externalProductId`. Each row gets its result, in
 * order; a bad row changes nothing and costs no other row anything. Of equal ids in one call the first counts.
 *
 * Throws `store_unknown`. Batches that are written stay written when a later one meets a fault.
 */
export async function upsertProducts(
  registry: Registry,
  scope: Scope,
  storeId: string,
  rows: readonly unknown[],
): Promise<RowResult[]> {
  const checked = function* () {
    for (const row of rows) yield checkRow(row);
  };
  return upsertChecked(registry, scope, storeId, checked());
}

export interface UpsertOptions {
  /**
   * Nobody sent the products: they were read on schedule. Then images whose signed file the shop does not serve are not fetched
   * once more; a schedule of an hour would fetch all of them every hour.
   */
  readonly isScheduled?: boolean;
}

/** The same for rows that have been checked. */
export async function upsertChecked(
  registry: Registry,
  scope: Scope,
  storeId: string,
  rows: Iterable<CheckedRow>,
  options?: UpsertOptions,
): Promise<RowResult[]> {
  const results: RowResult[] = [];
  for await (const batch of upsertStream(registry, scope, storeId, rows, options)) results.push(...batch);
  return results;
}

/**
 * The same for a stream of any number of rows; yields the results batch by batch. While one batch is written, the next is read
 * and checked. If `rows` throws, the results of the rows already written are yielded first.
 */
export async function* upsertStream(
  registry: Registry,
  scope: Scope,
  storeId: string,
  rows: AsyncIterable<CheckedRow> | Iterable<CheckedRow>,
  options: UpsertOptions = {},
): AsyncGenerator<RowResult[]> {
  const { merchantId, id } = await findStore(registry.db, scope, storeId);
  let writing: Promise<RowResult[]> | undefined;
  try {
    for await (const batch of batchesOf(rows)) {
      const before = writing;
      writing = undefined;
      const results = await before;
      writing = upsertBatch(registry, { merchantId, storeId: id }, batch, options);
      // an error is handled when the batch is awaited; until then rows are read
      writing.catch(() => {});
      if (results !== undefined) yield results;
    }
  } catch (fault) {
    if (writing !== undefined) yield await writing;
    throw fault;
  }
  if (writing !== undefined) yield await writing;
}

async function* batchesOf(
  rows: AsyncIterable<CheckedRow> | Iterable<CheckedRow>,
): AsyncGenerator<CheckedRow[]> {
  const known = new IdSet();
  const turn = eventLoopTurns();
  let batch: CheckedRow[] = [];
  let size = 0;
  for await (const row of rows) {
    const pause = turn();
    if (pause !== undefined) await pause;
    const weight = 1 + (row.ok ? (row.row.images?.length ?? 0) : row.errors.length);
    if (size + weight > BATCH && batch.length > 0) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(withoutRepeats(row, known));
    size += weight;
  }
  if (batch.length > 0) yield batch;
}

/** The second of two rows with the same id is an error. */
function withoutRepeats(checked: CheckedRow, known: IdSet): CheckedRow {
  if (!checked.ok || known.add(checked.row.externalProductId)) return checked;
  const { externalProductId } = checked.row;
  return { ok: false, externalProductId, errors: [rowError('id_repeated', ['externalProductId'])] };
}

async function upsertBatch(
  registry: Registry,
  { merchantId, storeId }: { readonly merchantId: string; readonly storeId: string },
  batch: readonly CheckedRow[],
  { isScheduled }: UpsertOptions,
): Promise<RowResult[]> {
  const { results, changed } = await inTransaction(registry.db, async (trx) => {
    const store = await lockTarget(trx, registry, merchantId, storeId);
    const ids = batch.flatMap((checked) => (checked.ok ? [checked.row.externalProductId] : []));
    const present = await readPresent(trx, store, ids);
    const good = batch.map((checked) => fitsWithImages(onKnownHost(checked, store.hosts), present));
    const judged = withinLimit(registry, store, good, present);
    const accepted = judged.flatMap((checked) => (checked.ok ? [checked.row] : []));
    const plan = planRows(accepted, present);
    const { products, images } = await write(trx, store, plan, registry.clock());
    // in the order in which scans lock rows: images, then their jobs, then what is ordered for their products
    if (images.length > 0)
      await registry.emit(trx, 'imagesChanged', { merchantId, storeId: store.id, images });
    const known = plan.flatMap(({ product, images: steps }) => {
      const before = present.get(product.external_product_id);
      return before === undefined ? [] : shownAfter(before.images, steps);
    });
    await orderRescans(trx, store.id, known, { failedOnly: isScheduled });
    await followProducts(registry, trx, { merchantId, changed: products });
    const standings = new Map(
      [...Array.from(present.values(), ({ id, standing }) => ({ id, is: standing })), ...products].map(
        ({ id, is }) => [id, is],
      ),
    );
    const steps = plan.values();
    return {
      results: judged.map((checked): RowResult => {
        if (!checked.ok) return errorResult(checked);
        const { id, status } = steps.next().value as (typeof plan)[number];
        const standing = standings.get(id);
        return {
          externalProductId: checked.row.externalProductId,
          id,
          status,
          ...(standing === undefined ? {} : { state: stateOf(standing, store.merchant.paused) }),
          ...(present.get(checked.row.externalProductId)?.keptHidden === true ? { keptHidden: true } : {}),
        };
      }),
      changed: products.map(({ id }) => id),
    };
  });
  if (changed.length > 0) registry.onChange(productChanges(changed));
  return results;
}

/** Writes the changes of a batch, including seats; returns the products and images that changed. */
async function write(
  trx: DatabaseTransaction,
  store: Target,
  plan: readonly Step[],
  now: Date,
): ReturnType<typeof writePlan> {
  const changed = plan.filter((step) => step.status !== 'unchanged');
  if (changed.length === 0) return { products: [], images: [] };
  const visible = changed.filter((step) => step.product.visible).length;
  // seats released or needed by the other rows are assigned by age, after all rows are written
  const onlyCreated = changed.every((step) => step.status === 'created');
  const seats = onlyCreated ? await bookSeats(trx, store.merchant, visible) : 0;
  const { products, images } = await writePlan(trx, store, changed, { seats, now });
  if (onlyCreated && seats === visible) return { products, images };
  const merchant = { ...store.merchant, slotsHeld: store.merchant.slotsHeld + seats };
  return { products: [...products, ...(await settleSeats(trx, merchant, products))], images };
}

/** The store that rows are for. */
interface Target extends StoreKey {
  readonly merchant: LockedMerchant;
  /** Of its live domains. */
  readonly hosts: ReadonlySet<string>;
  readonly counts: ProductCounts;
}

/** Takes the merchant's lock and reads the store: it may have been deleted meanwhile. */
async function lockTarget(
  trx: DatabaseTransaction,
  { limits }: Registry,
  merchantId: string,
  storeId: string,
): Promise<Target> {
  const merchant = await lockMerchant(trx, merchantId);
  const { rows } = await sql<ProductCounts & { hosts: string[] }>`
    select ${countColumns(merchantId, limits)}, array(select hostname from domains d
      where d.merchant_id = ${merchantId} and d.store_id = s.id and d.lost_at is null) as hosts
    from stores s join merchants m on m.id = s.merchant_id
    where s.merchant_id = ${merchantId} and s.id = ${storeId} and s.deleted_at is null`.execute(trx);
  const [store] = rows;
  if (merchant === undefined || store === undefined) throw new ServiceError('store_unknown');
  const { hosts, ...counts } = store;
  return { id: storeId, merchantId, merchant, hosts: new Set(hosts), counts };
}

/** Rejects a product page on a host that is not a domain of the store. */
function onKnownHost(checked: CheckedRow, hosts: ReadonlySet<string>): CheckedRow {
  if (!checked.ok) return checked;
  const host = hostOf(checked.row.url);
  if (host !== null && hosts.has(host)) return checked;
  return {
    ok: false,
    externalProductId: checked.row.externalProductId,
    errors: [rowError('host_not_of_store', ['url'], host ?? '')],
  };
}

/** A row without images keeps the existing ones, with which it must fit into a proof, too. */
function fitsWithImages(checked: CheckedRow, present: ReadonlyMap<string, PresentProduct>): CheckedRow {
  if (!checked.ok || checked.row.images !== undefined) return checked;
  const { externalProductId } = checked.row;
  const images = present.get(externalProductId)?.images.filter((image) => !image.removed) ?? [];
  if (fitsProof({ ...checked.row, images })) return checked;
  return { ok: false, externalProductId, errors: [rowError('row_exceeds_proof', [])] };
}

/** Rejects new products beyond the limit; those that the store has are brought up to date. */
function withinLimit(
  { limits }: Registry,
  { counts }: Target,
  rows: readonly CheckedRow[],
  present: ReadonlyMap<string, PresentProduct>,
): readonly CheckedRow[] {
  const isNew = (checked: CheckedRow) => checked.ok && !present.has(checked.row.externalProductId);
  if (!rows.some(isNew)) return rows;
  const { free, limit } = roomOf(counts, limits);
  let added = 0;
  return rows.map((checked) => {
    if (!checked.ok || !isNew(checked) || ++added <= free) return checked;
    const { externalProductId } = checked.row;
    return {
      ok: false,
      externalProductId,
      errors: [rowError('product_limit', [], limit.toLocaleString('en'))],
    };
  });
}

function rowError(type: RowFaultType, loc: string[], value = ''): RowError {
  return { loc, msg: ROW_FAULTS[type].replace('{value}', () => value), type };
}

function errorResult(checked: Extract<CheckedRow, { ok: false }>): RowResult {
  return {
    ...(checked.externalProductId === undefined ? {} : { externalProductId: checked.externalProductId }),
    status: 'error',
    errors: [...checked.errors],
  };
}
