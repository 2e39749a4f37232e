import { startEmbeddedPostgres } from '@touchstone/embedded-postgres';
import pg from 'pg';
import type { BenchContext } from './run.ts';

/** Starts a separate durable PostgreSQL, which the service and others may share. @returns its address */
export async function startDatabase({ onEnd }: Pick<BenchContext, 'onEnd'>, folder: string): Promise<string> {
  const database = await startEmbeddedPostgres({ folder, name: 'touchstone' });
  onEnd(() => database.close());
  const { host, port, user, password } = database.connection;
  return `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/touchstone`;
}

/** Runs a query on a new connection. @returns the rows */
export async function query(
  connectionString: string,
  text: string,
  values: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
