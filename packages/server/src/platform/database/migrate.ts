import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { StartError } from '../lifecycle/start-error.ts';
import type { Connection } from './database.ts';
import { asServiceError } from './database-fault.ts';

/** The tables, functions and triggers of a capability: `schema.sql` in its folder, changed by `migrations/0002-….sql` and so on. */
export interface Schema {
  /** Recorded in the database with each file that was applied: never changed once it has been released. */
  readonly capability: string;
  readonly folder: string;
}

interface Migration {
  readonly capability: string;
  /** 1: `schema.sql`. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

type Applied = Pick<Migration, 'capability' | 'number' | 'checksum'>;

/** This version cannot use the schema of the database; the message says what to do. */
export class SchemaError extends StartError {}

/**
 * Brings the schema up to date: the files of each capability, in the order of `schemas`, each in its own transaction, which
 * looks again under a lock whether it is still missing, so that nodes starting together do it once. What a capability that is not in `schemas` has made is left alone.
 *
 * Throws `SchemaError` for a schema that is newer than this version, or that was made by a file which has changed since, or by
 * a version before the first release; `ServiceError('database_unavailable')` when the database cannot be reached.
 *
 * @returns names of the files applied now, in order
 */
export async function migrate(
  connection: Connection,
  schemas: readonly Schema[],
): Promise<{ applied: readonly string[] }> {
  const migrations = (await Promise.all(schemas.map(readMigrations))).flat();
  return { applied: await withClient(connection, (client) => applyMissing(client, migrations)) };
}

async function withClient<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: 10_000,
    application_name: 'touchstone migrate',
  });
  client.on('error', () => {}); // reported by the statement that fails
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw asServiceError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function readMigrations({ capability, folder }: Schema): Promise<Migration[]> {
  const later = (await filesIn(join(folder, 'migrations')))
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  return Promise.all(
    ['schema.sql', ...later].map(async (name, index) => {
      const number = index + 1;
      const file = index === 0 ? name : `migrations/${name}`;
      if (index > 0 && Number.parseInt(name, 10) !== number)
        throw new Error(`${capability}/${file} is out of sequence: ${number} is expected.`);
      const sql = await readFile(join(folder, file), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { capability, number, name: `${capability}/${file}`, sql, checksum };
    }),
  );
}

/** None of a folder that is not there. */
async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  await refuseUnreleased(client);
  await makeOwnTables(client);
  const { rows } = await client.query<Applied>(
    'select capability, number, checksum from schema_migrations order by capability, number',
  );
  for (const row of rows) assertKnown(row, migrations);
  const missing = migrations.filter((migration) => !rows.some((row) => isSame(row, migration)));
  const applied: string[] = [];
  for (const migration of missing)
    if (await apply(client, migration, migration === missing.at(-1))) applied.push(migration.name);
  return applied;
}

/** The tables that are there before any schema is: the applied files, and the locks, of which one is for the schemas. */
async function makeOwnTables(client: pg.Client, attempt = 1): Promise<void> {
  try {
    await client.query(`
      create table if not exists schema_migrations (
        capability text not null, number integer not null, checksum text not null,
        applied_at timestamptz not null default now(), primary key (capability, number));
      create table if not exists locks (name text primary key);
      insert into locks (name) values ('schemas') on conflict (name) do nothing`);
  } catch (error) {
    // 'if not exists' does not see what another node is making at the same time (unique_violation, duplicate_table)
    const { code } = error as { code?: string };
    if (attempt === 10 || (code !== '23505' && code !== '42P07')) throw error;
    await makeOwnTables(client, attempt + 1);
  }
}

const isSame = (a: Applied, b: Applied) => a.capability === b.capability && a.number === b.number;

/** Versions before the first release numbered the files of all capabilities together. */
async function refuseUnreleased(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    "select from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'name'",
  );
  if (rowCount === 0) return;
  throw new SchemaError(
    'The database was made by a version from before the first release, which cannot be upgraded. Start with an empty ' +
      'database; what is in this one can still be exported with the version that made it.',
  );
}

function assertKnown(row: Applied, migrations: readonly Migration[]): void {
  const own = migrations.filter(({ capability }) => capability === row.capability);
  const newest = own.at(-1);
  if (newest === undefined) return; // a part that this service runs without
  const known = own.find(({ number }) => number === row.number);
  if (known === undefined) {
    throw new SchemaError(
      `The database has schema ${row.number} of "${row.capability}", newer than this version of the service knows ` +
        `(${newest.number}). Start the newer version, or restore a backup made before the upgrade.`,
    );
  }
  if (known.checksum !== row.checksum) {
    throw new SchemaError(
      `${known.name} is not the file that made this database's schema. Start the version that made it; such a file is ` +
        'never changed once it has been released.',
    );
  }
}

/**
 * Only the last file waits for the disk. Since the write-ahead log keeps their order, a crash of the machine before it loses
 * only the latest ones, and the next start continues from there.
 *
 * @returns false if another node has applied it meanwhile
 */
async function apply(client: pg.Client, migration: Migration, isLast: boolean): Promise<boolean> {
  await client.query(isLast ? 'begin' : 'begin; set local synchronous_commit to off');
  try {
    await client.query("select from locks where name = 'schemas' for update");
    const { rows } = await client.query<Applied>(
      'select capability, number, checksum from schema_migrations where capability = $1 and number = $2',
      [migration.capability, migration.number],
    );
    for (const row of rows) assertKnown(row, [migration]);
    if (rows.length > 0) {
      await client.query('commit');
      return false;
    }
    await client.query(migration.sql);
    await client.query('insert into schema_migrations (capability, number, checksum) values ($1, $2, $3)', [
      migration.capability,
      migration.number,
      migration.checksum,
    ]);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
