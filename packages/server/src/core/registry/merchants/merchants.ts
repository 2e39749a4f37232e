import { randomUUID } from 'node:crypto';
import type {
  Merchant,
  MerchantCreate,
  MerchantList,
  MerchantListQuery,
  MerchantPatch,
  RegistryChange,
} from '@touchstone/contract';
import { type Selectable, sql } from 'kysely';
import { announce } from '../../../platform/cache/announce.ts';
import { inTransaction } from '../../../platform/database/database.ts';
import type { MerchantsTable } from '../../../platform/database/tables.ts';
import { ServiceError } from '../../../platform/errors.ts';
import { inScope, requireOperator, type Scope } from '../../../platform/http/access.ts';
import { changeCapacity } from '../changes/make-change.ts';
import { pendingChanges } from '../changes/read-changes.ts';
import { differs, pageOf, type Registry } from '../context.ts';
import { lockMerchants } from '../plan-seats.ts';
import { limitOfMerchant } from '../product-limits.ts';

export async function createMerchant(registry: Registry, input: MerchantCreate): Promise<Merchant> {
  const row = await registry.db
    .insertInto('merchants')
    .values({ id: randomUUID(), name: input.name, plan_capacity: input.planCapacity })
    .returningAll()
    .returning(limitOfMerchant(registry.limits).as('limit'))
    .executeTakeFirstOrThrow();
  return toMerchant({ ...row, products: 0, hasPending: false }, []);
}

/** Throws `merchant_unknown`, also for one out of scope. */
export async function getMerchant(registry: Registry, scope: Scope, id: string): Promise<Merchant> {
  const row = inScope(scope, id.toLowerCase())
    ? await registry.db
        .selectFrom('merchants')
        .selectAll()
        .select(counted(registry))
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new ServiceError('merchant_unknown');
  return toMerchant(row, await pendingOf(registry.db, [row]));
}

/** The merchants that a caller may see, ordered by id, so that a cursor stays valid. */
export async function listMerchants(
  registry: Registry,
  scope: Scope,
  query: MerchantListQuery,
): Promise<MerchantList> {
  const rows = await registry.db
    .selectFrom('merchants')
    .selectAll()
    .select(counted(registry))
    .$if(scope !== 'all', (select) => select.where('id', '=', scope === 'all' ? '' : scope.merchantId))
    .$if(query.cursor !== undefined, (select) => select.where('id', '>', query.cursor ?? ''))
    // the names first, by their index: in the order of ids rare words would be looked for in every merchant
    .$if(query.q !== undefined, (select) =>
      select.where(
        sql<boolean>`case when merchant_query(${query.q}) is null then true
          else id = any (array(select id from merchants where merchant_terms(name) @@ merchant_query(${query.q}))) end`,
      ),
    )
    .orderBy('id')
    .limit(query.limit + 1)
    .execute();
  const { page, next } = pageOf(rows, query.limit, ({ id }) => id);
  const pending = await pendingOf(registry.db, page);
  return { merchants: page.map((row) => toMerchant(row, pending)), ...next };
}

/**
 * Changes name, capacity or pause. Seats follow the capacity.
 *
 * @returns the merchant, and the id of the pending change of its products; `null`: none is pending
 */
export async function patchMerchant(
  registry: Registry,
  scope: Scope,
  id: string,
  patch: MerchantPatch,
): Promise<{ merchant: Merchant; change: string | null }> {
  if (!inScope(scope, id.toLowerCase())) throw new ServiceError('merchant_unknown');
  if (patch.planCapacity !== undefined) requireOperator(scope, 'change planCapacity');
  if (patch.paused !== undefined) requireOperator(scope, 'pause a merchant');
  if (patch.productLimit !== undefined) requireOperator(scope, 'change productLimit');
  const answer = await inTransaction(registry.db, async (trx) => {
    const [merchant] = await lockMerchants(trx, [id]);
    if (merchant === undefined) throw new ServiceError('merchant_unknown');
    const values = {
      name: patch.name ?? merchant.name,
      plan_capacity: patch.planCapacity ?? merchant.planCapacity,
      paused: patch.paused ?? merchant.paused,
      ...(patch.productLimit === undefined ? {} : { product_limit: patch.productLimit }),
    };
    const written = await trx
      .updateTable('merchants')
      .set(values)
      .where('id', '=', id)
      .where(differs(values))
      .returningAll()
      .returning(counted(registry))
      .executeTakeFirst();
    const isPaused = values.paused !== merchant.paused;
    const { paused } = values;
    // one announcement for all its products, which may be a million; seats and limits show in no public answer
    if (isPaused || values.name !== merchant.name) await announce(trx, [`m:${merchant.id}`]);
    if (isPaused)
      await registry.emit(trx, 'merchantPaused', { merchantId: merchant.id, paused, now: registry.clock() });
    const planCapacity = values.plan_capacity;
    const change =
      planCapacity === merchant.planCapacity
        ? null
        : await changeCapacity(registry, trx, { ...merchant, planCapacity });
    // a change of the capacity moves seats, which the row counts
    const isCurrent = written !== undefined && planCapacity === merchant.planCapacity;
    const row = isCurrent
      ? written
      : await trx
          .selectFrom('merchants')
          .selectAll()
          .select(counted(registry))
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
    return { merchant: toMerchant(row, await pendingOf(trx, [row])), change };
  });
  registry.onChange([`m:${answer.merchant.id}`]);
  return answer;
}

interface CountedRow extends Selectable<MerchantsTable> {
  limit: number;
  products: number;
  hasPending: boolean;
}

/** Further columns: the limit of products that applies, how many there are, and whether changes are pending. */
const counted = (registry: Registry) => [
  limitOfMerchant(registry.limits).as('limit'),
  sql<number>`(select coalesce(sum(products), 0)::integer from product_counts where merchant_id = merchants.id)`.as(
    'products',
  ),
  sql<boolean>`exists (select from registry_changes where merchant_id = merchants.id and finished_at is null)`.as(
    'hasPending',
  ),
];

/** Pending changes of merchants: seldom any. */
const pendingOf = (db: Parameters<typeof pendingChanges>[0], rows: readonly CountedRow[]) =>
  pendingChanges(
    db,
    rows.filter(({ hasPending }) => hasPending).map(({ id }) => id),
  );

function toMerchant(row: CountedRow, pending: readonly RegistryChange[]): Merchant {
  return {
    id: row.id,
    name: row.name,
    planCapacity: row.plan_capacity,
    slotsHeld: row.slots_held,
    productLimit: row.limit,
    products: row.products,
    paused: row.paused,
    createdAt: row.created_at.toISOString(),
    pendingChanges: pending.filter(({ merchantId }) => merchantId === row.id),
  };
}
