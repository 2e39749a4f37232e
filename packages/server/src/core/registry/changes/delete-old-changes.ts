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
  const gone = await trx
    .deleteFrom('registry_changes')
    .where('merchant_id', '=', merchantId)
    .where('finished_at', '<', new Date(now.getTime() - LISTED_FOR))
    .where('remembers', '=', false)
    .returning('id')
    .execute();
  if (gone.length > 0)
    await trx
      .deleteFrom('directory')
      .where(
        'id',
        'in',
        gone.map(({ id }) => id),
      )
      .execute();
}

/** Rows deleted by one statement. */
const DELETED_AT_ONCE = 10_000;

/** Deletes, in batches, the recorded products of a change that can no longer be undone. */
export async function deleteUndoRecords({ db, clock }: Registry): Promise<void> {
  const late = new Date(clock().getTime() - UNDOABLE);
  const { rows } = await sql<{ id: string; merchant_id: string }>`
    select id, merchant_id from registry_changes where remembers and finished_at < ${late} order by finished_at limit 1`.execute(
    db,
  );
  const [change] = rows;
  if (change === undefined) return;
  const ofChange = sql`merchant_id = ${change.merchant_id} and change_id = ${change.id}`;
  const { numAffectedRows = 0n } = await sql`
    delete from registry_change_products where ${ofChange} and created_order in (
      select created_order from registry_change_products where ${ofChange}
      limit ${DELETED_AT_ONCE})`.execute(db);
  if (numAffectedRows < DELETED_AT_ONCE)
    await db
      .updateTable('registry_changes')
      .set({ remembers: false })
      .where('merchant_id', '=', change.merchant_id)
      .where('id', '=', change.id)
      .execute();
}
