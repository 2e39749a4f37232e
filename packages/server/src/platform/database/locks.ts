import { sql } from 'kysely';
import type pg from 'pg';
import { type Database, type DatabaseTransaction, inTransaction } from './database.ts';

/** How transactions lock each other out: by advisory locks, or by rows of a table, for engines without. */
export type LockWay = 'advisory' | 'rows';

/** What is done by one transaction at a time, over all nodes. Names with a colon are without number. */
export type LockName =
  | 'operator keys'
  | 'signing keys'
  | 'image counts'
  | `jobs ${string}`
  | `hostname: ${string}`;

/** Holds locks until the end of the transaction. Transactions that take several take them all at once, or could wait in a circle. */
export async function lockFor(trx: DatabaseTransaction, ...names: readonly LockName[]): Promise<void> {
  if (names.length > 0) await sql`select lock_for(${names}::text[])`.execute(trx);
}

/**
 * Has all nodes lock by rows from now on, whatever their settings say: two ways at a time would lock nobody out. Ends when every
 * transaction has ended that holds an advisory lock.
 */
export async function lockByRows(db: Database): Promise<void> {
  const known = await db.selectFrom('locks').select('name').where('name', '=', 'rows').executeTakeFirst();
  if (known !== undefined) return;
  await inTransaction(db, async (trx) => {
    // whoever locks anything reads the table, and so holds a lock of it until its end
    await sql`lock table locks in access exclusive mode`.execute(trx);
    await trx
      .insertInto('locks')
      .values({ name: 'rows' })
      .onConflict((row) => row.doNothing())
      .execute();
  });
}

/** Key of the lock of the schemas: an arbitrary constant, the same for all nodes. */
const MIGRATION_LOCK = 7_084_620_011;

/**
 * Tries to take the lock of the schemas, which is held until the connection closes. Always an advisory lock: it is needed before there is
 * a table, outlasts the transactions of the files, and is held outside of one, as `create index concurrently` demands. It does not wait,
 * since the snapshot of a statement that waits would keep an index that is built concurrently waiting in turn.
 */
export async function tryMigrationLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    MIGRATION_LOCK,
  ]);
  return rows[0]?.taken === true;
}
