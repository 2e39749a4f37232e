import type { RegistryChange } from '@touchstone/contract';
import { sql } from 'kysely';
import { ServiceError } from '../../../platform/errors.ts';
import type { Scope } from '../../../platform/http/access.ts';
import type { Registry } from '../context.ts';
import { productsAtOnce } from './make-change.ts';
import { readChange, UNDOABLE } from './read-changes.ts';
import { applyAction, newAction, orderAction, underLock } from './start-action.ts';

const INVERSE = { hide: 'show', show: 'hide', delete: 'restore' } as const;

/**
 * Undoes a hide, show or delete of many products.
 *
 * @throws ServiceError `change_unknown`; `conflict` if the change cannot be undone, or no longer
 */
export async function undoChange(
  registry: Registry,
  scope: Scope,
  changeId: string,
  keyId?: string,
): Promise<RegistryChange> {
  const { db } = registry;
  const found = await readChange(db, scope, changeId);
  if (found.store_id === null) throw notUndoable();
  return underLock(registry, found.merchant_id, found.store_id, async (trx, merchant) => {
    // read again under the lock: it may have been undone or have progressed meanwhile
    const row = await readChange(trx, { merchantId: merchant.id }, changeId);
    if (row.undone_by !== null) return { id: row.undone_by, changed: [] };
    const kind = row.kind in INVERSE ? INVERSE[row.kind as keyof typeof INVERSE] : undefined;
    if (row.withdraws === true) throw withdrawnForGood();
    const isLate = registry.clock().getTime() > row.created_at.getTime() + UNDOABLE;
    if (kind === undefined || row.undoes !== null || row.store_id === null || isLate) throw notUndoable();
    const { store_id: storeId, merchant_id: merchantId } = row;
    const change = newAction(registry, { kind, storeId, merchantId, filter: null, undoes: row.id, keyId });
    await trx
      .updateTable('registry_changes')
      .set({ undone_by: change.id, read_to: null, finished_at: row.finished_at ?? registry.clock() })
      .set((eb) => ({ total: eb.fn.coalesce('total', 'done') }))
      .where('merchant_id', '=', merchantId)
      .where('id', '=', row.id)
      .execute();
    if (row.changed > productsAtOnce(registry)) return orderAction(trx, merchant, change, row.changed);
    const { rows } = await sql<{ id: string }>`
      select product_id as id from registry_change_products
      where merchant_id = ${merchantId} and change_id = ${row.id}`.execute(trx);
    return applyAction(
      registry,
      trx,
      merchant,
      change,
      rows.map(({ id }) => id),
    );
  });
}

const notUndoable = () =>
  new ServiceError('conflict', {
    message: 'Only a hide, show or delete of the last 7 days can be undone; an undo itself cannot.',
  });

const withdrawnForGood = () =>
  new ServiceError('conflict', {
    message: 'Certificates are withdrawn for good. Show the products again: they get new ones.',
  });
