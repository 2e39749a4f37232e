import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { Registry } from '../context.ts';
import { UNDOABLE } from './read-changes.ts';

/** Milliseconds for which a finished change is listed. */
const LISTED_FOR = 8 * 86_400_000;

/** Deletes changes that finished long ago, except those that can still be undone. */
export async function deleteOldChanges(
  trx: DatabaseTransaction,
  merchantId: string,
  now: Date,
): Promise<void> {
  await trx
    .deleteFrom('registry_changes')
    .where('merchant_id', '=', merchantId)
    .where('finished_at', '<', new Date(now.getTime() - LISTED_FOR))
    .where('remembers', '=', false)
    .execute();
}

/** Rows deleted by one statement. */
const DELETED_AT_ONCE = 10_000;

/** Deletes, in batches, the recorded products of a change that can no longer be undone. */
export async function deleteUndoRecords({ db, clock }: Registry): Promise<void> {
  const late = new Date(clock().getTime() - UNDOABLE);
  const { rows } = await sql<{ id: string }>`
    select id from registry_changes where remembers and finished_at < ${late} order by finished_at limit 1`.execute(
    db,
  );
  const [change] = rows;
  if (change === undefined) return;
  const { numAffectedRows = 0n } = await sql`
    delete from registry_change_products where change_id = ${change.id} and created_order in (
      select created_order from registry_change_products where change_id = ${change.id}
      limit ${DELETED_AT_ONCE})`.execute(db);
  if (numAffectedRows < DELETED_AT_ONCE)
    await db.updateTable('registry_changes').set({ remembers: false }).where('id', '=', change.id).execute();
}
