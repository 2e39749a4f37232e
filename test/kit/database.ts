import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@touchstone/embedded-postgres';
import pg from 'pg';
import { readPostmasterFile } from '../../packages/embedded-postgres/src/postmaster.ts';

/** A connection to the database of a data folder, whose service runs. */
export async function connectTo(dataDir: string): Promise<pg.Client> {
  const server = await readPostmasterFile(join(dataDir, 'postgres'));
  const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
  const host = server?.socketDir ?? '';
  const client = new pg.Client({ host, port: 5432, user: 'touchstone', password, database: 'touchstone' });
  await client.connect();
  return client;
}

/** Queries the database of a data folder whose service has ended. */
export async function queryStopped<Row extends pg.QueryResultRow>(
  folder: string,
  sql: string,
): Promise<Row[]> {
  const database = await startEmbeddedPostgres({ folder, name: 'touchstone' });
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query<Row>(sql);
  await client.end();
  await database.close();
  return rows;
}
