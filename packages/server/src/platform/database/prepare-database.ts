import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  type EmbeddedPostgresFault,
  startEmbeddedPostgres,
} from '@touchstone/embedded-postgres';
import type { Logger } from 'pino';
import { ServiceError } from '../errors.ts';
import type { Closers } from '../lifecycle/closers.ts';
import { makeFolder } from '../lifecycle/make-folder.ts';
import { StartError } from '../lifecycle/start-error.ts';
import type { Config } from '../settings/config.ts';
import type { Connection } from './database.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema-files.ts';

export interface PreparedDatabase {
  readonly connection: Connection;
  /** Absent for an external database (DATABASE_URL). */
  readonly embedded?: EmbeddedPostgres;
}

export interface PrepareDatabaseOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly closers: Closers;
  readonly schemas: readonly Schema[];
  /** False: a crash of the machine may lose data. Tests and demo only. */
  readonly durable?: boolean | undefined;
  /** The data folder was lost to another service: this one must end. */
  readonly onLost: (error: Error) => void;
}

/** Starts or finds the database, and brings its schema up to date. */
export async function prepareDatabase(options: PrepareDatabaseOptions): Promise<PreparedDatabase> {
  const { config, logger } = options;
  await makeFolder(config.dataDir, 0o711);
  const embedded = config.databaseUrl === undefined ? await openEmbedded(options) : undefined;
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' };
  const onLocked = (file: string) =>
    logger.warn({ file }, 'something else keeps a table locked that this file changes: it is tried again');
  const { applied, newer } = await migrate(connection, options.schemas, {
    onLocked,
    locksBy: config.locksBy,
  }).catch((error: unknown) => {
    throw asDatabaseStartError(error, config);
  });
  if (applied.length > 0) logger.info({ applied }, 'schema brought up to date');
  if (newer.length > 0)
    logger.info({ newer }, 'the schema is that of the next release, with which this one runs');
  return { connection, ...(embedded === undefined ? {} : { embedded }) };
}

async function openEmbedded(options: PrepareDatabaseOptions): Promise<EmbeddedPostgres> {
  const { config, logger, closers, durable, onLost } = options;
  const embedded = await startEmbeddedPostgres({
    folder: config.dataDir,
    name: 'touchstone',
    log: (line) => logger.warn({ log: join(config.dataDir, 'postgres.log') }, line),
    onLost,
    ...(durable === undefined ? {} : { durable }),
  }).catch((error: unknown) => {
    throw asStartError(error);
  });
  closers.add('embedded database', () => embedded.close());
  if (embedded.adopted) logger.warn('adopted the database that a killed service left running');
  return embedded;
}

/** Advice on settings for faults of the embedded database. */
const HELPFUL_SETTINGS: Partial<Record<EmbeddedPostgresFault, string>> = {
  not_installed: 'Or set TOUCHSTONE_DATABASE_URL to a PostgreSQL of yours.',
  no_account: 'Or set TOUCHSTONE_DATABASE_URL to a PostgreSQL of yours.',
  read_only: 'Or choose another folder with TOUCHSTONE_DATA_DIR.',
  no_space: 'Or choose another folder with TOUCHSTONE_DATA_DIR.',
  in_use:
    'TOUCHSTONE_DATA_DIR names the folder; with TOUCHSTONE_DATABASE_URL, several services share one PostgreSQL.',
};

function asStartError(error: unknown): unknown {
  if (!(error instanceof EmbeddedPostgresError)) return error;
  const setting = HELPFUL_SETTINGS[error.fault];
  return new StartError(setting === undefined ? error.message : `${error.message} ${setting}`, {
    cause: error,
  });
}

/**
 * At startup, an unreachable external database is most likely a wrong setting, and a database that refuses writes needs the
 * operator: both refuse the start.
 */
function asDatabaseStartError(error: unknown, { databaseUrl, dataDir }: Config): unknown {
  if (!(error instanceof ServiceError)) return error;
  const isUnreachable = error.code === 'database_unavailable' && databaseUrl !== undefined;
  const remedy = isUnreachable ? 'Start it, or fix the setting.' : REMEDIES[error.code];
  if (remedy === undefined) return error;
  const reason = error.cause instanceof Error ? error.cause.message : error.publicMessage;
  const what = isUnreachable ? 'cannot be reached' : 'cannot be written';
  const whose = databaseUrl === undefined ? `data folder ${dataDir}` : placeOf(databaseUrl);
  return new StartError(`The database of ${whose} ${what}: ${reason}. ${remedy}`, { cause: error });
}

const REMEDIES: Readonly<Record<string, string>> = {
  database_full: 'Its disk is full: free at least about 100 MB.',
  database_read_only: 'Make its disk writable, or name a server that takes changes.',
};

function placeOf(databaseUrl: string): string {
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `TOUCHSTONE_DATABASE_URL (${hostname}${port === '' ? '' : `:${port}`}${pathname})`;
}
