import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../lifecycle/start-error.ts';
import type { Connection } from './database.ts';
import { asServiceError, codeOf } from './database-fault.ts';
import { type LockWay, tryMigrationLock } from './locks.ts';
import { runningVersionsBefore } from './older-nodes.ts';
import { isOlder, OWN_RELEASES, oldestWith, type Releases } from './releases.ts';
import {
  isSeparate,
  readSchemaFiles,
  type Schema,
  type SchemaFile,
  separateStatements,
} from './schema-files.ts';

/**
 * Milliseconds for which a file waits for a lock. Statements that need the same table queue behind it for as long: it then gives up,
 * lets them through, and is tried again.
 */
const LOCK_TIMEOUT = 1_000;
const LOCK_PAUSE = 2_000;
const LOCK_ATTEMPTS = 60;
/** Milliseconds between attempts to take the migration lock. */
const POLL = 200;

interface Row {
  readonly capability: string;
  readonly number: number;
  readonly checksum: string;
  /** The oldest version that still runs with it; null: unknown, or any. */
  readonly runs_with: string | null;
}

export interface MigrateOptions {
  /** This version, and those before. */
  readonly releases?: Releases;
  /** How nodes lock each other out; the same for all of them. */
  readonly locksBy?: LockWay;
  /** A file could not lock its tables and is tried again. For the log. */
  readonly onLocked?: (file: string) => void;
}

export interface Migrated {
  /** Names of the files applied now, in order. */
  readonly applied: readonly string[];
  /** Files of the next release, which this version can run with: capability and number. */
  readonly newer: readonly string[];
}

/** This version cannot use the schema of the database; the message says what to do. */
export class SchemaError extends StartError {}

/**
 * Brings the schema up to date: the files of each capability, in the order of `schemas`, each in its own transaction, under one
 * lock, so that nodes starting together do it once. What a capability that is not in `schemas` has made is left alone, and so
 * is what the next release has added (docs/adr/28-two-versions-on-one-database.md).
 *
 * Throws `SchemaError` for a schema with which this version does not run, or that was made by a file which has changed since, or by
 * a version before the first release, and while nodes run that could not use the schema of this version;
 * `ServiceError('database_unavailable')` when the database cannot be reached.
 */
export async function migrate(
  connection: Connection,
  schemas: readonly Schema[],
  { releases = OWN_RELEASES, locksBy = 'advisory', onLocked = () => {} }: MigrateOptions = {},
): Promise<Migrated> {
  const files = await readSchemaFiles(schemas);
  return underMigrationLock(connection, locksBy, (client) => applyMissing(client, files, releases, onLocked));
}

/** Serialises changes of the schema between nodes. */
async function underMigrationLock<T>(
  connection: Connection,
  locksBy: LockWay,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = clientOf(connection);
  const holder = locksBy === 'advisory' ? client : clientOf(connection);
  const clients = [...new Set([client, holder])];
  try {
    await Promise.all(clients.map((one) => one.connect()));
    // whoever has lost the lock must not go on
    holder.once('end', () => void client.end().catch(() => {}));
    while (!(await tryMigrationLock(holder, locksBy))) await delay(POLL);
    return await work(client);
  } catch (error) {
    throw asServiceError(error);
  } finally {
    // closing the connection releases the lock
    for (const one of clients) await one.end().catch(() => {});
  }
}

function clientOf(connection: Connection): pg.Client {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: 10_000,
    application_name: 'touchstone migrate',
  });
  client.on('error', () => {}); // reported by the statement that fails
  return client;
}

async function applyMissing(
  client: pg.Client,
  files: readonly SchemaFile[],
  releases: Releases,
  onLocked: (file: string) => void,
): Promise<Migrated> {
  await refuseUnreleased(client);
  await prepareRecord(client);
  const { rows } = await client.query<Row>(
    'select capability, number, checksum, runs_with from schema_migrations order by capability, number',
  );
  for (const row of rows) assertUsable(row, files, releases);
  const missing = files.filter((file) => !rows.some((row) => isSame(row, file)));
  await refuseBesideOlder(client, missing, releases);
  for (const file of missing) {
    const runsWith = oldestWith(file, releases);
    await patiently(() => apply(client, file, runsWith, file === missing.at(-1)), file, onLocked);
  }
  const newer = rows.filter((row) => row.runs_with !== null && !files.some((file) => isSame(row, file)));
  return {
    applied: missing.map(({ name }) => name),
    newer: newer.map(({ capability, number }) => `${capability} ${number}`),
  };
}

const isSame = (a: Pick<Row, 'capability' | 'number'>, b: Pick<Row, 'capability' | 'number'>) =>
  a.capability === b.capability && a.number === b.number;

async function prepareRecord(client: pg.Client): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    capability text not null, number integer not null, checksum text not null,
    applied_at timestamptz not null default now(), runs_with text, primary key (capability, number))`);
  // made by a version that did not record it
  if (!(await hasColumn(client, 'runs_with')))
    await client.query('alter table schema_migrations add column runs_with text');
}

async function hasColumn(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "select from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = $1",
    [name],
  );
  return rowCount !== 0;
}

/** Versions before the first release numbered the files of all capabilities together. */
async function refuseUnreleased(client: pg.Client): Promise<void> {
  if (!(await hasColumn(client, 'name'))) return;
  throw new SchemaError(
    'The database was made by a version from before the first release, which cannot be upgraded. Start with an empty ' +
      'database; what is in this one can still be exported with the version that made it.',
  );
}

function assertUsable(row: Row, files: readonly SchemaFile[], { version }: Releases): void {
  const own = files.filter(({ capability }) => capability === row.capability);
  const known = own.find(({ number }) => number === row.number);
  const what = `The database has schema ${row.number} of "${row.capability}"`;
  if (known === undefined && row.runs_with !== null && isOlder(version, row.runs_with)) {
    throw new SchemaError(
      `${what}, with which ${row.runs_with} is the oldest version that runs; this is ${version}. Start ${row.runs_with} or a ` +
        'newer version, or restore a backup made before the upgrade.',
    );
  }
  if (known === undefined && row.runs_with === null && own.length > 0) {
    throw new SchemaError(
      `${what}, newer than this version of the service knows (${own.at(-1)?.number}). Start the newer version, or ` +
        'restore a backup made before the upgrade.',
    );
  }
  if (known !== undefined && known.checksum !== row.checksum) {
    throw new SchemaError(
      `${known.name} is not the file that made this database's schema. Start the version that made it; such a file is ` +
        'never changed once it has been released.',
    );
  }
}

/** Nodes that are running do not look at the schema again: an upgrade by two releases at once would break them. */
async function refuseBesideOlder(
  client: pg.Client,
  missing: readonly SchemaFile[],
  releases: Releases,
): Promise<void> {
  const needed = missing
    .map((file) => oldestWith(file, releases))
    .filter((version) => version !== undefined)
    .reduce<string | undefined>((a, b) => (a === undefined || isOlder(a, b) ? b : a), undefined);
  if (needed === undefined) return;
  const older = await runningVersionsBefore(client, needed);
  if (older.length === 0) return;
  throw new SchemaError(
    `Nodes of ${older.join(', ')} are running on this database, and do not run with the schema of ${releases.version}. ` +
      `Replace them by ${needed} first, or stop them; one that was killed counts for another minute.`,
  );
}

/** Tries again what could not lock its tables in time. */
async function patiently(
  work: () => Promise<void>,
  { name }: SchemaFile,
  onLocked: (file: string) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      // lock_not_available, deadlock_detected
      if (!['55P03', '40P01'].includes(codeOf(error) ?? '')) throw error;
      if (attempt === LOCK_ATTEMPTS)
        throw new StartError(
          `${name} could not be applied: ${attempt} times, something else kept a table locked that it changes. See what runs ` +
            'on the database (pg_stat_activity), and start again.',
          { cause: error },
        );
      onLocked(name);
      await delay(LOCK_PAUSE);
    }
  }
}

/**
 * Only the last file waits for the disk. Since the write-ahead log keeps their order, a crash of the machine before it loses
 * only the latest ones, and the next start continues from there.
 */
async function apply(
  client: pg.Client,
  file: SchemaFile,
  runsWith: string | undefined,
  isLast: boolean,
): Promise<void> {
  const isAlone = isSeparate(file);
  // repeated after a crash: such a file first drops what it left
  if (isAlone) for (const statement of separateStatements(file)) await client.query(statement);
  const disk = isLast ? '' : 'set local synchronous_commit to off;';
  await client.query(`begin; ${disk} set local lock_timeout to ${LOCK_TIMEOUT}`);
  try {
    if (!isAlone) await client.query(file.sql);
    await client.query(
      'insert into schema_migrations (capability, number, checksum, runs_with) values ($1, $2, $3, $4)',
      [file.capability, file.number, file.checksum, runsWith],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
