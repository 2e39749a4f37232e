import { Socket } from 'node:net';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tracing } from '../tracing/tracing.ts';
import { retrying, standbyReached, type WriteFault } from './database-fault.ts';
import { guardedPool } from './guarded-pool.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;

/** The address of a database: a URL, or its parts (an embedded server listens on a Unix socket). */
export type Connection =
  | { readonly connectionString: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
      /** Overrides PGSSLMODE of the environment, since a Unix socket has no TLS. */
      readonly ssl?: false;
    };

export interface DatabaseOptions {
  readonly connection: Connection;
  /** Maximum number of connections. */
  readonly max?: number;
  /** Milliseconds for one statement. */
  readonly statementTimeout?: number;
  /** Milliseconds to wait for a connection, including a free one of the pool. */
  readonly connectTimeout?: number;
  /** Name of the connections in `pg_stat_activity`. */
  readonly applicationName?: string;
  readonly tracing?: Tracing | undefined;
  /** Called before every statement, for counting. */
  readonly onQuery?: (sql: string) => void;
  /** Determines whether the disk is the reason why an embedded database is unavailable. */
  readonly diskFault?: () => WriteFault | undefined;
  /**
   * A statement is being sent that announces changes when its transaction commits: they are among these texts.
   *
   * @returns a function that is called when the transaction has ended, whatever came of it
   */
  readonly onNotify?: ((payloads: readonly string[]) => () => void) | undefined;
  /** An idle connection was lost; the pool replaces it. For the log. */
  readonly onConnectionLost?: (error: Error) => void;
}

export interface OpenDatabase {
  readonly db: Database;
  /** For metrics; statements go through `db`. */
  readonly pool: pg.Pool;
  /** Breaks the connections that were opened before this time (`performance.now()`), since their server does not answer any more. */
  abandon(before: number): void;
  /** Ends the pool; waits for running statements. */
  close(): Promise<void>;
}

/**
 * Milliseconds after which an idle connection is closed: long enough for tasks that run every minute to reuse theirs, since opening
 * one takes some 20 ms of the database and of this process.
 */
const IDLE_TIMEOUT = 150_000;
/** Milliseconds for a new connection to tell whether its server is the primary. */
const ROLE_TIMEOUT = 2_000;

/**
 * Opens a pool. Nothing is connected yet: a database that is not reachable shows with the first statement, as
 * `ServiceError('database_unavailable')`, and the pool recovers by itself.
 */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const statementTimeout = options.statementTimeout ?? 15_000;
  const sockets = new Map<Socket, number>();
  const pool = new pg.Pool({
    ...options.connection,
    stream: () => {
      const socket = new Socket();
      sockets.set(socket, performance.now());
      return socket.once('close', () => sockets.delete(socket));
    },
    onConnect: (client) => prepareSession(client, statementTimeout),
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connectTimeout ?? 5_000,
    idleTimeoutMillis: IDLE_TIMEOUT,
    // the client's own timeout, for a server that no longer answers
    query_timeout: statementTimeout + 2_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: options.applicationName ?? 'touchstone',
  });
  let closing: Promise<void> | undefined;
  // without a listener, an idle connection that breaks would end the process
  pool.on('error', (error) => {
    // connections may outlive their pool for a moment; that stopping the server then breaks them does not matter
    if (closing === undefined) options.onConnectionLost?.(error);
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guardedPool(pool, options) }) });
  return {
    db,
    pool,
    abandon(before) {
      for (const [socket, openedAt] of sockets) if (openedAt < before) socket.destroy();
    },
    close() {
      // not db.destroy(), which ignores a pool that has not been used yet
      closing ??= pool.end();
      return closing;
    },
  };
}

/**
 * What a standby answers may be outdated, and a route may lead to one for a while during a failover. Checked once: a server that
 * becomes a standby ends its connections. The timeouts are set here since PgBouncer refuses connections that begin with them.
 *
 * @param timeout - of a statement, and of a transaction that waits for its next one, in milliseconds
 */
async function prepareSession(client: pg.ClientBase, timeout: number): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>({
    text: `select pg_is_in_recovery() as standby, set_config('statement_timeout', $1, false),
      set_config('idle_in_transaction_session_timeout', $1, false)`,
    values: [String(timeout)],
    query_timeout: ROLE_TIMEOUT,
  } as pg.QueryConfig);
  if (rows[0]?.standby !== false) throw standbyReached();
}

/**
 * Runs `work` in one transaction, and again (up to five times in all) when it conflicted with
 * another (deadlock, serialisation). `work` must have no effect outside the transaction.
 */
export function inTransaction<T>(db: Database, work: (trx: DatabaseTransaction) => Promise<T>): Promise<T> {
  return retrying(() => db.transaction().execute(work));
}

/** The row of a statement that always returns exactly one, such as a count without groups. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`one row was expected, and ${rows.length} came`);
  return row;
}
