import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { ServiceError } from '../errors.ts';
import type { Tracing } from '../tracing/tracing.ts';
import {
  asServiceError,
  breaksConnection,
  isPlanOutdated,
  kindOf,
  retrying,
  StandbyError,
  type WriteFault,
} from './database-fault.ts';

/** Callbacks of a pool, as in `DatabaseOptions`. */
interface PoolHooks {
  readonly onQuery?: ((sql: string) => void) | undefined;
  readonly diskFault?: (() => WriteFault | undefined) | undefined;
  readonly tracing?: Tracing | undefined;
  readonly onNotify?: ((payloads: readonly string[]) => () => void) | undefined;
}

/** The part of a pool that kysely uses, with errors mapped to ours, and broken connections discarded. */
export function guardedPool(pool: pg.Pool, hooks: PoolHooks) {
  const statementName = statementNames();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await connectToPrimary(pool).catch((error: unknown) => {
        throw asServiceError(error, '', hooks.diskFault);
      });
      return guardedClient(client, hooks, statementName);
    },
  };
}

/** A route to several servers leads to another one next. */
const CONNECTIONS_TRIED = 3;

async function connectToPrimary(pool: pg.Pool): Promise<pg.PoolClient> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await pool.connect();
    } catch (error) {
      const isOfStandby = error instanceof ServiceError && error.cause instanceof StandbyError;
      if (!isOfStandby || tried === CONNECTIONS_TRIED) throw error;
    }
  }
}

const TRACE = "select set_config('touchstone.traceparent', $1, true)";

function guardedClient(
  client: pg.PoolClient,
  { onQuery, diskFault, onNotify, tracing }: PoolHooks,
  statementName: StatementName,
) {
  let broken = false;
  let hasBegun = false;
  const ends: (() => void)[] = [];
  const endTransaction = () => {
    for (const end of ends.splice(0)) end();
  };
  // the pool has no error listener on a client in use, and an unhandled error would end the process
  const onError = () => {
    broken = true;
  };
  client.on('error', onError);
  const send = async (text: unknown, parameters: readonly unknown[] = []) => {
    if (typeof text !== 'string') throw new TypeError('Cursors are not used here.');
    onQuery?.(text);
    const values = [...parameters];
    if (text === 'begin') hasBegun = true;
    if (onNotify !== undefined && text.includes('announce_changes(')) ends.push(onNotify(payloadsOf(values)));
    const once = () => {
      const name = statementName.of(text);
      return client.query({ text, values, ...(name === undefined ? {} : { name }) }).catch((error) => {
        if (isPlanOutdated(error)) {
          broken = true;
          // the other connections have the same outdated plan under this name: a repetition must not meet each of them
          statementName.forget(text);
        }
        throw error;
      });
    };
    try {
      // an error ends a transaction, whose work is repeated as a whole
      return await (hasBegun ? once() : retrying(once));
    } catch (error) {
      if (breaksConnection(error)) broken = true;
      throw asServiceError(error, text, diskFault);
    } finally {
      // a statement outside a transaction is one by itself
      if (!hasBegun || text === 'commit' || text === 'rollback') endTransaction();
    }
  };
  const query = async (text: string, parameters?: readonly unknown[]) => {
    if (tracing === undefined) return send(text, parameters);
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
    const result = await tracing.inSpan({ name: kindOf(text), kind: 'CLIENT', attributes }, () =>
      send(text, parameters),
    );
    // jobs made in this transaction are part of the same trace
    if (text === 'begin') await send(TRACE, [tracing.traceparent() ?? '']);
    return result;
  };
  return {
    // kysely's type has overloads (one for cursors, refused above)
    query: query as never,
    release(destroy?: boolean) {
      endTransaction();
      client.release(destroy === true || broken);
      client.removeListener('error', onError);
    },
  };
}

/** The texts of the lists that a statement is given: what it announces is among them. */
function payloadsOf(values: readonly unknown[]): string[] {
  return values
    .flatMap((value) => (Array.isArray(value) ? value : []))
    .filter((one) => typeof one === 'string');
}

/** Statements that a connection may keep prepared, each some 10 to 50 kB of the server's memory. */
const MAX_PREPARED = 100;
/** Uses after which a statement is prepared: statements whose length depends on their values seldom recur. */
const USES_BEFORE_PREPARED = 10;

/** The name under which a statement is prepared, if it is. */
interface StatementName {
  of(sql: string): string | undefined;
  /** Its plans are outdated: it gets another name, once it recurs. */
  forget(sql: string): void;
}

/**
 * Names recurring statements, so that each connection plans them once: planning costs more than execution. The number of
 * names is limited, since a connection keeps every statement that it has prepared.
 */
function statementNames(): StatementName {
  const uses = new LRUCache<string, { count: number; name?: string }>({ max: 10 * MAX_PREPARED });
  let named = 0;
  const of = (text: string) => {
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
  return { of, forget: (text) => uses.delete(text) };
}
