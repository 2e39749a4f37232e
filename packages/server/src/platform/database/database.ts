import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import {
  asServiceError,
  breaksConnection,
  isPlanOutdated,
  isRetryable,
  type WriteFault,
} from './database-fault.ts';
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
  /** Called before every statement, for counting. */
  readonly onQuery?: (sql: string) => void;
  /** Determines whether the disk is the reason why an embedded database is unavailable. */
  readonly diskFault?: () => WriteFault | undefined;
  /** An idle connection was lost; the pool replaces it. For the log. */
  readonly onConnectionLost?: (error: Error) => void;
}

export interface OpenDatabase {
  readonly db: Database;
  /** For metrics; statements go through `db`. */
  readonly pool: pg.Pool;
  /** Ends the pool; waits for running statements. */
  close(): Promise<void>;
}

/**
 * Milliseconds after which an idle connection is closed: long enough for tasks that run every minute to reuse theirs, since opening
 * one takes some 20 ms of the database and of this process.
 */
const IDLE_TIMEOUT = 150_000;

/**
 * Opens a pool. Nothing is connected yet: a database that is not reachable shows with the first statement, as
 * `ServiceError('database_unavailable')`, and the pool recovers by itself.
 */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const statementTimeout = options.statementTimeout ?? 15_000;
  const pool = new pg.Pool({
    ...options.connection,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connectTimeout ?? 5_000,
    idleTimeoutMillis: IDLE_TIMEOUT,
    statement_timeout: statementTimeout,
    // the client's own timeout, for a server that no longer answers
    query_timeout: statementTimeout + 2_000,
    idle_in_transaction_session_timeout: statementTimeout,
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
  const guardedPool = guarded(pool, {
    onQuery: options.onQuery,
    diskFault: options.diskFault,
    statementName: statementNames(),
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guardedPool }) });
  return {
    db,
    pool,
    close() {
      // not db.destroy(), which ignores a pool that has not been used yet
      closing ??= pool.end();
      return closing;
    },
  };
}

interface Guarding {
  readonly onQuery: ((sql: string) => void) | undefined;
  readonly diskFault: (() => WriteFault | undefined) | undefined;
  readonly statementName: (sql: string) => string | undefined;
}

/** The part of a pool that kysely uses, with errors mapped to ours, and broken connections discarded. */
function guarded(pool: pg.Pool, guarding: Guarding) {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw asServiceError(error, '', guarding.diskFault);
      });
      return guardedClient(client, guarding);
    },
  };
}

function guardedClient(client: pg.PoolClient, { onQuery, diskFault, statementName }: Guarding) {
  let broken = false;
  let hasBegun = false;
  // the pool has no error listener on a client in use, and an unhandled error would end the process
  const onError = () => {
    broken = true;
  };
  client.on('error', onError);
  const query = async (text: unknown, parameters: readonly unknown[] = []) => {
    if (typeof text !== 'string') throw new TypeError('Cursors are not used here.');
    onQuery?.(text);
    const name = statementName(text);
    const values = [...parameters];
    if (text === 'begin') hasBegun = true;
    try {
      return await client.query({ text, values, ...(name === undefined ? {} : { name }) }).catch((error) => {
        if (!isPlanOutdated(error)) throw error;
        broken = true;
        // the error ended the transaction, whose work is repeated as a whole
        if (hasBegun) throw error;
        return client.query({ text, values });
      });
    } catch (error) {
      if (breaksConnection(error)) broken = true;
      throw asServiceError(error, text, diskFault);
    }
  };
  return {
    // kysely's type has overloads (one for cursors, refused above)
    query: query as never,
    release(destroy?: boolean) {
      client.release(destroy === true || broken);
      client.removeListener('error', onError);
    },
  };
}

/** Statements that a connection may keep prepared, each some 10 to 50 kB of the server's memory. */
const MAX_PREPARED = 100;
/** Uses after which a statement is prepared: statements whose length depends on their values seldom recur. */
const USES_BEFORE_PREPARED = 10;

/**
 * Names for the statements that come again and again, so that each connection plans them once: planning costs more than
 * running them. The names are few, since a connection keeps every statement that it has prepared.
 */
function statementNames(): (sql: string) => string | undefined {
  const uses = new LRUCache<string, { count: number; name?: string }>({ max: 10 * MAX_PREPARED });
  let named = 0;
  return (text) => {
    let known = uses.get(text);
    if (known === undefined) {
      known = { count: 0 };
      uses.set(text, known);
    }
    known.count += 1;
    if (known.name === undefined && known.count > USES_BEFORE_PREPARED && named < MAX_PREPARED) {
      named += 1;
      known.name = `touchstone_${named}`;
    }
    return known.name;
  };
}

/**
 * Runs `work` in one transaction, and again (up to five times in all) when it conflicted with
 * another (deadlock, serialisation). `work` must have no effect outside the transaction.
 */
export function inTransaction<T>(db: Database, work: (trx: DatabaseTransaction) => Promise<T>): Promise<T> {
  return retrying(() => db.transaction().execute(work));
}

/** The same for a single statement, which is a transaction by itself. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error) || attempt === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 * attempt + Math.random() * 20));
    }
  }
}

/** The row of a statement that always returns exactly one, such as a count without groups. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`one row was expected, and ${rows.length} came`);
  return row;
}
