import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { StartError } from '../lifecycle/start-error.ts';
import type { Connection } from './database.ts';
import { asServiceError } from './database-fault.ts';

/** Key of the advisory lock: an arbitrary constant, the same for all nodes. */
const MIGRATION_LOCK = 7_084_620_011;

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export interface MigrationResult {
  /** Names of the migrations run now, in order. */
  readonly applied: readonly string[];
  /** Number of the newest migration in the database. */
  readonly version: number;
}

/** This version cannot use the schema of the database; the message says what to do. */
export class SchemaError extends StartError {}

/**
 * Brings the schema up to date: the numbered files of `folder`, each in its own transaction, under one
 * advisory lock, so that nodes starting together do it once.
 *
 * Throws `SchemaError` for a schema that is newer than this version, or that was made by a file which
 * has changed since; `ServiceError('database_unavailable')` when the database cannot be reached.
 */
export async function migrate(
  connection: Connection,
  folder: string = join(import.meta.dirname, 'migrations'),
): Promise<MigrationResult> {
  const migrations = await readMigrations(folder);
  return underMigrationLock(connection, (client) => applyMissing(client, migrations));
}

/** Serialises changes of the schema between nodes. */
async function underMigrationLock<T>(
  connection: Connection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: 10_000,
    application_name: 'touchstone migrate',
  });
  client.on('error', () => {}); // reported by the statement that fails
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await work(client);
  } catch (error) {
    throw asServiceError(error);
  } finally {
    // closing the connection releases the lock
    await client.end().catch(() => {});
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number.parseInt(name, 10);
      // numbers may be missing, but each is given once
      if (!(number > Number.parseInt(names[index - 1] ?? '0', 10)))
        throw new Error(`Migration ${name} is out of sequence.`);
      const sql = await readFile(join(folder, name), 'utf8');
      return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<MigrationResult> {
  await client.query(`create table if not exists schema_migrations (
    number integer primary key, name text not null, checksum text not null,
    applied_at timestamptz not null default now())`);
  const present = await client.query<{ number: number; name: string; checksum: string }>(
    'select number, name, checksum from schema_migrations order by number',
  );
  for (const row of present.rows) assertKnown(row, migrations);
  const done = new Set(present.rows.map((row) => row.number));
  const missing = migrations.filter((migration) => !done.has(migration.number));
  for (const migration of missing) await apply(client, migration, migration === missing.at(-1));
  return { applied: missing.map((migration) => migration.name), version: newestOf(migrations) };
}

const newestOf = (migrations: readonly Migration[]) => migrations.at(-1)?.number ?? 0;

function assertKnown(
  row: { number: number; name: string; checksum: string },
  migrations: readonly Migration[],
): void {
  const known = migrations.find(({ number }) => number === row.number);
  if (known === undefined) {
    throw new SchemaError(
      `The database has schema ${row.number} (${row.name}), newer than this version of the service knows ` +
        `(${newestOf(migrations)}). Start the newer version, or restore a backup made before the upgrade.`,
    );
  }
  if (known.checksum !== row.checksum) {
    throw new SchemaError(
      `Migration ${known.name} is not the one that made this database's schema. Start the version that made ` +
        'it; a migration is never changed once it has been released.',
    );
  }
}

/**
 * Only the last migration waits for the disk. Since the write-ahead log keeps their order, a crash of the machine before it
 * loses only the latest ones, and the next start continues from there.
 */
async function apply(client: pg.Client, migration: Migration, isLast: boolean): Promise<void> {
  await client.query(isLast ? 'begin' : 'begin; set local synchronous_commit to off');
  try {
    await client.query(migration.sql);
    await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
