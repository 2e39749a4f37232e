import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Closers } from '../lifecycle/closers.ts';
import { createFaultLog } from '../log/fault-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type Connection, type OpenDatabase, openDatabase } from './database.ts';

export interface PoolOptions {
  readonly connection: Connection;
  /** Connections at the most. */
  readonly max: number;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly closers: Closers;
}

/** The pool of one process, counted and closed with it. */
export function openPool({ connection, max, logger, clock, metrics, closers }: PoolOptions): OpenDatabase {
  const database = openDatabase({
    connection,
    max,
    onQuery: metrics.onQuery,
    onConnectionLost: createFaultLog(
      (err, times) => logger.warn({ err, times }, 'an idle database connection was lost'),
      clock,
    ),
  });
  closers.add('database pool', () => database.close());
  metrics.watchPool(database.pool);
  return database;
}
