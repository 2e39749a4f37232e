import type { RegistryChange, RegistryChangeList, RegistryChangeListQuery } from '@touchstone/contract';
import type { Kysely, Selectable } from 'kysely';
import type { RegistryChangesTable, Tables } from '../../platform/database/tables.ts';
import { ServiceError } from '../../platform/errors.ts';
import { inScope, type Scope } from '../../platform/http/access.ts';
import { pageOf, type Registry } from '../context.ts';

/** A change that is pending or was done a short while ago. Throws `change_unknown` for one out of scope too. */
export async function getChange(registry: Registry, scope: Scope, id: string): Promise<RegistryChange> {
  const row = await registry.db
    .selectFrom('registry_changes')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined || !inScope(scope, row.merchant_id)) throw new ServiceError('change_unknown');
  return toView(row);
}

/** Pending changes that a caller may see, by id. */
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
  return { changes: page.map(toView), ...next };
}

/** Pending changes of these merchants, each merchant's in the order in which they were asked for. */
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
  return rows.map(toView);
}

function toView(row: Selectable<RegistryChangesTable>): RegistryChange {
  return {
    id: row.id,
    kind: row.kind,
    merchantId: row.merchant_id,
    ...(row.store_id === null ? {} : { storeId: row.store_id }),
    ...(row.hostname === null ? {} : { hostname: row.hostname }),
    state: row.finished_at === null ? 'pending' : 'done',
    done: row.done,
    ...(row.total === null ? {} : { total: Math.max(row.total, row.done) }),
    since: row.created_at.toISOString(),
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at.toISOString() }),
  };
}
