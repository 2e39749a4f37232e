import type { StoreSource, StoreSourceInput } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Registry } from '../../core/registry/context.ts';
import { findStore } from '../../core/registry/find-store.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { openText, sealText } from '../../platform/database/sealed-texts.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { lastImport, orderImport } from './import-store.ts';

/** Imports that one run of the schedule orders at most. */
const BATCH = 100;

export async function putSource(
  registry: Registry,
  scope: Scope,
  storeId: string,
  { url, kind, everyHours, prune }: StoreSourceInput,
): Promise<StoreSource> {
  const store = await findStore(registry.db, scope, storeId);
  const { id, merchantId } = store;
  const sealed = sealText(registry.secrets.seal, 'store_sources', store, url);
  const values = { url: sealed, kind, every_hours: everyHours, prune, next_at: registry.clock() };
  await registry.db
    .insertInto('store_sources')
    .values({ merchant_id: merchantId, store_id: id, ...values })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'store_id']).doUpdateSet(values))
    .execute();
  return getSource(registry, scope, id);
}

export async function getSource(registry: Registry, scope: Scope, storeId: string): Promise<StoreSource> {
  const store = await findStore(registry.db, scope, storeId);
  const { id, merchantId } = store;
  const row = await registry.db
    .selectFrom('store_sources')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new ServiceError('store_source_unknown');
  const last = await lastImport(registry, store);
  return {
    url: openText(registry.secrets.seal, 'store_sources', store, row.url),
    kind: row.kind,
    everyHours: row.every_hours,
    prune: row.prune,
    nextAt: row.next_at.toISOString(),
    ...(last === undefined ? {} : { lastImport: last }),
  };
}

export async function deleteSource(registry: Registry, scope: Scope, storeId: string): Promise<void> {
  const { id, merchantId } = await findStore(registry.db, scope, storeId);
  const { numDeletedRows } = await registry.db
    .deleteFrom('store_sources')
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new ServiceError('store_source_unknown');
}

/**
 * Orders imports of the sources that are due, and sets when they are due next. Several nodes may do so at once; each takes
 * different sources. A source whose last import has not ended yet remains due until it has.
 *
 * @returns how many were ordered
 */
export async function orderDueSources(registry: Registry): Promise<number> {
  const now = registry.clock();
  const { rows } = await sql<DueSource>`
    select s.store_id as "storeId", s.merchant_id as "merchantId", s.url, s.kind, s.prune, s.every_hours as "everyHours"
    from store_sources s join stores st on st.merchant_id = s.merchant_id and st.id = s.store_id
    where s.next_at <= ${now} and st.deleted_at is null
      and not exists (
        select from imports i
        where i.merchant_id = s.merchant_id and i.store_id = s.store_id and i.finished_at is null)
    order by s.next_at limit ${BATCH}`.execute(registry.db);
  let ordered = 0;
  for (const source of rows) if (await orderDueSource(registry, source, now)) ordered += 1;
  return ordered;
}

/** Milliseconds. */
const HOUR = 3_600_000;

interface DueSource {
  readonly storeId: string;
  readonly merchantId: string;
  readonly url: Buffer;
  readonly kind: StoreSourceInput['kind'];
  readonly prune: StoreSourceInput['prune'];
  readonly everyHours: number;
}

/** @returns false if another node took it, or an import of the store has begun since */
function orderDueSource(registry: Registry, source: DueSource, now: Date): Promise<boolean> {
  const { storeId: id, merchantId, everyHours } = source;
  const url = openText(registry.secrets.seal, 'store_sources', { id, merchantId }, source.url);
  const next = new Date(now.getTime() + everyHours * HOUR);
  return inTransaction(registry.db, async (trx) => {
    const { numAffectedRows } = await sql`
      update store_sources set next_at = ${next}
      where merchant_id = ${merchantId} and store_id = ${id} and next_at <= ${now} and every_hours = ${everyHours}`.execute(
      trx,
    );
    if (numAffectedRows !== 1n) return false;
    return (await orderImport(trx, registry, { ...source, url, scheduled: true }, now)) !== null;
  });
}
