import type { RegistryChange, RegistryChangeList, RegistryChangeListQuery } from '@touchstone/contract';
import type { Kysely, Selectable } from 'kysely';
import type { RegistryChangesTable, Tables } from '../../../platform/database/tables.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { Scope } from '../../../platform/http/access.ts';
import { pageOf, type Registry } from '../context.ts';
import { merchantIn } from '../find-store.ts';
import { isAction } from './act-on-batch.ts';

/** A change that is pending or was finished recently. Throws `change_unknown`, also for one out of scope. */
export async function getChange(registry: Registry, scope: Scope, id: string): Promise<RegistryChange> {
  return toChange(await readChange(registry.db, scope, id));
}

/** The row of a change in scope. Throws `change_unknown`. */
export const readChange = (db: Kysely<Tables>, scope: Scope, id: string) =>
  db
    .selectFrom('registry_changes')
    .selectAll()
    .where('merchant_id', '=', merchantIn(scope, id))
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new ServiceError('change_unknown'));

/** Pending changes that a caller may see, ordered by id. */
export async function listChanges(
  registry: Registry,
  scope: Scope,
  query: RegistryChangeListQuery,
): Promise<RegistryChangeList> {
  const rows = await registry.db
    .selectFrom('registry_changes')
    .selectAll()
    .where('finished_at', 'is', null)
    .$if(scope !== 'all', (select) =>
      select.where('merchant_id', '=', scope === 'all' ? '' : scope.merchantId),
    )
    .$if(query.merchantId !== undefined, (select) => select.where('merchant_id', '=', query.merchantId ?? ''))
    .$if(query.cursor !== undefined, (select) => select.where('id', '>', query.cursor ?? ''))
    .orderBy('id')
    .limit(query.limit + 1)
    .execute();
  const { page, next } = pageOf(rows, query.limit, ({ id }) => id);
  return { changes: page.map(toChange), ...next };
}

/** Pending changes of these merchants, those of each merchant in the order of their requests. */
export async function pendingChanges(
  db: Kysely<Tables>,
  merchantIds: readonly string[],
): Promise<readonly RegistryChange[]> {
  if (merchantIds.length === 0) return [];
  const rows = await db
    .selectFrom('registry_changes')
    .selectAll()
    .where('merchant_id', 'in', [...merchantIds])
    .where('finished_at', 'is', null)
    .orderBy('nth')
    .execute();
  return rows.map(toChange);
}

/** Milliseconds for which a hide, show or delete of many products can be undone. */
export const UNDOABLE = 7 * 86_400_000;

export function toChange(row: Selectable<RegistryChangesTable>): RegistryChange {
  return {
    id: row.id,
    kind: row.withdraws === true ? 'withdraw' : row.kind,
    merchantId: row.merchant_id,
    ...(row.store_id === null ? {} : { storeId: row.store_id }),
    ...(row.hostname === null ? {} : { hostname: row.hostname }),
    state: row.finished_at === null ? 'pending' : 'done',
    done: row.done,
    ...(row.total === null ? {} : { total: Math.max(row.total, row.done) }),
    ...(isAction(row) ? ofAction(row) : {}),
    since: row.created_at.toISOString(),
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at.toISOString() }),
  };
}

function ofAction({ changed, undoes, undone_by, created_at, withdraws }: Selectable<RegistryChangesTable>) {
  const isUndoable = undoes === null && undone_by === null && withdraws !== true;
  return {
    changed,
    ...(undoes === null ? {} : { undoes }),
    ...(undone_by === null ? {} : { undoneBy: undone_by }),
    ...(isUndoable ? { undoableUntil: new Date(created_at.getTime() + UNDOABLE).toISOString() } : {}),
  };
}
