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

/** Where a database is: a URL, or the parts of one (an embedded server listens on a socket file). */
export type Connection =
  | { readonly connectionString: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
      /** Said for a socket file, where a PGSSLMODE of the environment would ask for what is not there. */
      readonly ssl?: false;
    };

export interface DatabaseOptions {
  readonly connection: Connection;
  /** Connections at the most. */
  readonly max?: number;
  /** Milliseconds that one statement may take. */
  readonly statementTimeout?: number;
  /** Milliseconds to wait for a connection, a free one of the pool included. */
  readonly connectTimeout?: number;
  /** Told to PostgreSQL, seen in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** Called before every statement, for counting. */
  readonly onQuery?: (sql: string) => void;
  /** What is wrong with the disk of a database of ours, asked when it is away. */
  readonly diskFault?: () => WriteFault | undefined;
  /** An idle connection was lost; the pool makes another. For the log. */
  readonly onConnectionLost?: (error: Error) => void;
}

export interface OpenDatabase {
  readonly db: Database;
  /** For metrics; statements go through `db`. */
  readonly pool: pg.Pool;
  /** Ends the pool; waits for statements under way. */
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
    // the client's own watch, for a server that stopped answering
    query_timeout: statementTimeout + 2_000,
    idle_in_transaction_session_timeout: statementTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: options.applicationName ?? 'touchstone',
  });
  let closing: Promise<void> | undefined;
  // without a listener, an idle connection that breaks would end the process
  pool.on('error', (error) => {
    // a pool has ended before its connections have: a server that is stopped next breaks them, and nobody misses them
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
      // not db.destroy(): it leaves a pool alone that has not been used yet
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

/** The part of a pool that kysely uses, with faults named in our words and broken connections discarded. */
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
  // the pool does not listen while a client is lent out, and an error that nobody hears ends the process
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
        // a transaction is over with the fault, and its work is run again as a whole
        if (hasBegun) throw error;
        return client.query({ text, values });
      });
    } catch (error) {
      if (breaksConnection(error)) broken = true;
      throw asServiceError(error, text, diskFault);
    }
  };
  return {
    // kysely's type wants overloads (one for cursors, refused above)
    query: query as never,
    release(destroy?: boolean) {
      client.release(destroy === true || broken);
      client.removeListener('error', onError);
    },
  };
}

/** Statements that a connection may keep prepared, each some 10 to 50 kB of the server's memory. */
const MAX_PREPARED = 100;
/** Uses before a statement is worth preparing: texts whose length depends on their values seldom come again. */
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

/** The same for work that is one statement, which is a transaction of itself. */
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

/** The one row of a statement that always answers one, such as a count without groups. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`one row was expected, and ${rows.length} came`);
  return row;
}
