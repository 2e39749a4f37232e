import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type pg from 'pg';
import { inject } from 'vitest';
import {
  type Connection,
  type Database,
  type DatabaseOptions,
  type OpenDatabase,
  openDatabase,
} from './database.ts';
import type { ServerAddress } from './testing-databases.ts';

export interface TestDatabase {
  readonly connection: Connection;
  /** A pool on it. */
  readonly db: Database;
  /** Another pool on it: what another node of the service would have. Closed with this. */
  open(options?: Omit<DatabaseOptions, 'connection'>): OpenDatabase;
  /** One statement past kysely, for looking and for harm (`pg_terminate_backend` …). */
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** What somebody does who can write to the database, and switch off its foreign keys. */
  tamper(...statements: string[]): Promise<void>;
  /**
   * Ends its other pools and deletes all rows that were written: for the next test of a file, since a fresh database, and connections
   * that do not know it yet, cost several times as much. What DDL did stays; a row of a migration that was changed is gone.
   */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/**
 * As many connections as a service of tests has: each costs the server as much as fifty statements, until it knows the tables. A busy
 * machine needs long to open one, by which nothing is judged.
 */
const OF_TESTS = { max: 4, connectTimeout: 60_000, applicationName: 'touchstone test' };

/**
 * Rows are older than their database if they were copied from its template. A table without pages has none. Those that Citus
 * distributes are empty in the template, and tell no row's age.
 */
const EMPTY = `
  do $$
  declare
    name regclass;
    born xid := (select xmin from pg_database where datname = current_database());
  begin
    set local session_replication_role = replica;
    for name in
      select oid from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0
    loop
      execute format('delete from %s where age(xmin) <= age($1)', name) using born;
    end loop;
    if to_regclass('pg_dist_partition') is not null then
      for name in execute 'select logicalrelid from pg_dist_partition' loop
        execute format('truncate %s cascade', name);
      end loop;
    end if;
  end $$`;

/**
 * A fresh migrated database on the real server of this test run.
 *
 * ```ts
 * const database = await testDatabase();
 * afterAll(() => database.close());
 * ```
 */
export async function testDatabase(): Promise<TestDatabase> {
  const { connection, giveBack } = await borrow();
  const pools: OpenDatabase[] = [];
  const open = (options: Omit<DatabaseOptions, 'connection'> = {}) => {
    const opened = openDatabase({ ...OF_TESTS, ...options, connection });
    pools.push(opened);
    return opened;
  };
  const { db, pool } = open();
  const closeOthers = () => Promise.all(pools.splice(1).map((opened) => opened.close()));
  return {
    connection,
    db,
    open,
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    async tamper(...statements) {
      // one message, so that all are sent to one connection
      const all = ['set session_replication_role = replica', ...statements, 'reset session_replication_role'];
      await pool.query(all.join(';'));
    },
    async empty() {
      await closeOthers();
      await pool.query(EMPTY);
    },
    async close() {
      await Promise.all(pools.map((opened) => opened.close()));
      giveBack();
    },
  };
}

/** A database of this test run, until it is given back (testing-server.ts). */
async function borrow(): Promise<{ connection: ServerAddress; giveBack: () => void }> {
  const socket = connect(inject('testDatabaseSocket'));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: socket }).once('line', resolve);
    socket.once('error', reject).once('close', () => reject(new Error('this test run ends')));
  });
  const { connection, fault }: { connection: ServerAddress; fault?: string } = JSON.parse(line);
  if (fault !== undefined) throw new Error(fault);
  return { connection, giveBack: () => socket.destroy() };
}
