import { sql } from 'kysely';
import type pg from 'pg';
import { type Database, type DatabaseTransaction, inTransaction } from './database.ts';
import { codeOf } from './database-fault.ts';

/** How transactions lock each other out: by advisory locks, or by rows of a table, for engines without. */
export type LockWay = 'advisory' | 'rows';

/** What is done by one transaction at a time, over all nodes. Names with a colon are without number. */
export type LockName =
  | 'operator keys'
  | 'signing keys'
  | 'status lists'
  | 'transparency log'
  | 'image counts'
  | `evidence: ${string}`
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
 * Tries to take the lock of the schemas, which is held until the connection closes: across the transactions of the files, and outside of
 * one, as `create index concurrently` demands. So it is an advisory lock of the session. By rows, the connection has to be another than that
 * which changes the schemas: it stays in a transaction.
 *
 * It does not wait, since the snapshot of a statement that waits would keep an index that is built concurrently waiting in turn; a
 * transaction between two statements has none.
 */
export async function tryMigrationLock(client: pg.Client, way: LockWay): Promise<boolean> {
  if (way === 'rows') return tryMigrationRow(client);
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    MIGRATION_LOCK,
  ]);
  return rows[0]?.taken === true;
}

async function tryMigrationRow(client: pg.Client): Promise<boolean> {
  try {
    await client.query(`
      create table if not exists locks (name text primary key);
      insert into locks (name) values ('schemas') on conflict (name) do nothing`);
    await client.query('begin; set local idle_in_transaction_session_timeout to 0');
    const { rowCount } = await client.query(
      "select from locks where name = 'schemas' for update skip locked",
    );
    if (rowCount === 1) return true;
    await client.query('rollback');
    return false;
  } catch (error) {
    // another node is making the table: 'if not exists' does not see it (unique_violation, duplicate_object, duplicate_table)
    if (!['23505', '42710', '42P07'].includes(codeOf(error) ?? '')) throw error;
    return false;
  }
}
