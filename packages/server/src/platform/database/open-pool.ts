import { type DiskFault, diskFault } from '@touchstone/embedded-postgres';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Closers } from '../lifecycle/closers.ts';
import { createFaultWarning } from '../log/fault-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Config } from '../settings/config.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { type Connection, type DatabaseOptions, type OpenDatabase, openDatabase } from './database.ts';
import type { WriteFault } from './database-fault.ts';

export interface PoolOptions extends Pick<DatabaseOptions, 'onNotify'> {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl'>;
  readonly connection: Connection;
  /** Maximum number of connections. */
  readonly max: number;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly closers: Closers;
  readonly tracing?: Tracing | undefined;
}

/** The connection pool of a process, with its metrics; closed with the process. */
export function openPool({
  config,
  connection,
  max,
  logger,
  clock,
  metrics,
  closers,
  tracing,
  onNotify,
}: PoolOptions): OpenDatabase {
  const database = openDatabase({
    connection,
    max,
    tracing,
    onNotify,
    onQuery: metrics.counter({ name: 'database_queries_total', help: 'Statements sent to the database.' }),
    ...(config.databaseUrl === undefined ? { diskFault: () => diskFaultOf(config.dataDir) } : {}),
    onConnectionLost: createFaultWarning({ logger, clock }, 'an idle database connection was lost'),
  });
  closers.add('database pool', () => database.close());
  const { pool } = database;
  metrics.labelledGauge(
    {
      name: 'database_connections',
      help: 'Connections of the pool by state; waiting: requests for one.',
      label: 'state',
    },
    () => ({ idle: pool.idleCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
  );
  return database;
}

const WRITE_FAULTS: Readonly<Record<DiskFault, WriteFault>> = {
  no_space: 'database_full',
  read_only: 'database_read_only',
};

function diskFaultOf(folder: string): WriteFault | undefined {
  const fault = diskFault(folder);
  return fault === undefined ? undefined : WRITE_FAULTS[fault];
}
