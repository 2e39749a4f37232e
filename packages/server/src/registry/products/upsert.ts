import { hostOf } from '@touchstone/certificate/binding';
import { fitsProof, type RowResult } from '@touchstone/contract';
import { sql } from 'kysely';
import { inTransaction } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/http/access.ts';
import { productChanges, type Registry } from '../context.ts';
import { findStore, lockStore } from '../find-store.ts';
import { settleSeats } from '../plan-seats.ts';
import { type PresentProduct, planRows } from './plan-upsert.ts';
import { orderFailed } from './product-images.ts';
import { readPresent, readStates, writePlan } from './product-table.ts';
import { type CheckedRow, checkRow } from './read-rows.ts';

/** Rows written in one transaction, under the merchant's lock. */
const BATCH = 500;

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
  const results: RowResult[] = [];
  const checked = (async function* () {
    for (const row of rows) yield checkRow(row);
  })();
  for await (const batch of upsertStream(registry, scope, storeId, checked)) results.push(...batch);
  return results;
}

/** The same for any number of rows as they come; yields the results batch by batch. */
export async function* upsertStream(
  registry: Registry,
  scope: Scope,
  storeId: string,
  rows: AsyncIterable<CheckedRow>,
): AsyncGenerator<RowResult[]> {
  const { merchantId, id } = await findStore(registry.db, scope, storeId);
  const known = new Set<string>();
  let batch: CheckedRow[] = [];
  for await (const row of rows) {
    batch.push(withoutRepeats(row, known));
    if (batch.length < BATCH) continue;
    yield await upsertBatch(registry, merchantId, id, batch);
    batch = [];
  }
  if (batch.length > 0) yield await upsertBatch(registry, merchantId, id, batch);
}

/** The later of two rows with one id is a bad row, whatever else is right with it. */
function withoutRepeats(checked: CheckedRow, known: Set<string>): CheckedRow {
  if (!checked.ok) return checked;
  const { externalProductId } = checked.row;
  if (!known.has(externalProductId)) {
    known.add(externalProductId);
    return checked;
  }
  const msg = 'An earlier row of this call has the same externalProductId';
  return { ok: false, externalProductId, errors: [{ loc: ['externalProductId'], msg, type: 'value_error' }] };
}

async function upsertBatch(
  registry: Registry,
  merchantId: string,
  storeId: string,
  batch: readonly CheckedRow[],
): Promise<RowResult[]> {
  const { results, changed } = await inTransaction(registry.db, async (trx) => {
    const store = await lockStore(trx, merchantId, storeId);
    const hosts = await liveHosts(trx, store.id);
    const ids = batch.flatMap((checked) => (checked.ok ? [checked.row.externalProductId] : []));
    const present = await readPresent(trx, store.id, ids);
    const judged = batch.map((checked) => fitsWithImages(onKnownHost(checked, hosts), present));
    const good = judged.flatMap((checked) => (checked.ok ? [checked.row] : []));
    const plan = planRows(good, present);
    await writePlan(trx, store, plan, registry.clock());
    const known = plan.filter((step) => step.status !== 'created').map((step) => step.id);
    if (known.length > 0) await orderFailed(trx, store.id, sql`i.product_id = any(${known}::uuid[])`);
    const touched = plan.filter((step) => step.status !== 'unchanged').map((step) => step.id);
    const moved =
      touched.length === 0
        ? []
        : await settleSeats(trx, store.merchant, sql<boolean>`id = any(${touched}::uuid[])`);
    const states = await readStates(
      trx,
      plan.map((step) => step.id),
    );
    const steps = plan.values();
    return {
      results: judged.map((checked): RowResult => {
        if (!checked.ok) return errorResult(checked);
        const { id, status } = steps.next().value as (typeof plan)[number];
        const state = states.get(id);
        return {
          externalProductId: checked.row.externalProductId,
          id,
          status,
          ...(state === undefined ? {} : { state }),
        };
      }),
      changed: [...touched, ...moved],
    };
  });
  if (changed.length > 0) registry.onChange(productChanges(changed));
  return results;
}

async function liveHosts(
  trx: Parameters<typeof lockStore>[0],
  storeId: string,
): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('domains')
    .select('hostname')
    .where('store_id', '=', storeId)
    .where('lost_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.hostname));
}

/** A product page on a host that is no domain of the store is somebody else's page. */
function onKnownHost(checked: CheckedRow, hosts: ReadonlySet<string>): CheckedRow {
  if (!checked.ok) return checked;
  const host = hostOf(checked.row.url);
  if (host !== null && hosts.has(host)) return checked;
  const msg = `The host ${host ?? ''} is not a domain of this store; add it as one first`;
  return {
    ok: false,
    externalProductId: checked.row.externalProductId,
    errors: [{ loc: ['url'], msg, type: 'value_error' }],
  };
}

/** A row without images keeps those that are there; with them, too, it has to fit into a proof. */
function fitsWithImages(checked: CheckedRow, present: ReadonlyMap<string, PresentProduct>): CheckedRow {
  if (!checked.ok || checked.row.images !== undefined) return checked;
  const { externalProductId } = checked.row;
  const images = present.get(externalProductId)?.images.filter((image) => !image.removed) ?? [];
  if (fitsProof({ ...checked.row, images })) return checked;
  const msg = 'With the images that are there, the row is more than a proof can hold';
  return { ok: false, externalProductId, errors: [{ loc: [], msg, type: 'value_error' }] };
}

function errorResult(checked: Extract<CheckedRow, { ok: false }>): RowResult {
  return {
    ...(checked.externalProductId === undefined ? {} : { externalProductId: checked.externalProductId }),
    status: 'error',
    errors: [...checked.errors],
  };
}
