import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { inject } from 'vitest';
import {
  type Connection,
  type Database,
  type DatabaseOptions,
  type OpenDatabase,
  openDatabase,
} from './database.ts';
import type { TestServer } from './testing-server.ts';

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
  close(): Promise<void>;
}

/**
 * A fresh migrated database on the real server of this test run.
 *
 * ```ts
 * const database = await testDatabase();
 * afterAll(() => database.close());
 * ```
 */
export async function testDatabase(): Promise<TestDatabase> {
  const server = await askForServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await maintain(server, `create database ${name} template ${server.template} strategy file_copy`);
  const connection = { ...server.connection, database: name } as Connection;
  const pools: OpenDatabase[] = [];
  const open = (options: Omit<DatabaseOptions, 'connection'> = {}) => {
    const opened = openDatabase({ max: 8, applicationName: 'touchstone test', ...options, connection });
    pools.push(opened);
    return opened;
  };
  const { db, pool } = open();
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
    async close() {
      await Promise.all(pools.map((opened) => opened.close()));
      await maintain(server, `drop database if exists ${name} with (force)`);
    },
  };
}

async function askForServer(): Promise<TestServer> {
  const answer: unknown = JSON.parse(await text(connect(inject('testServerSocket'))));
  if (typeof answer === 'object' && answer !== null && 'fault' in answer)
    throw new Error(String(answer.fault));
  return answer as TestServer;
}

async function maintain(server: TestServer, sql: string): Promise<void> {
  for (const connection of [server.connection, ...server.workers]) {
    const client = new pg.Client(connection);
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }
}
