import { startEmbeddedPostgres } from '@touchstone/embedded-postgres';
import type { BenchContext } from './run.ts';

/** Starts a durable PostgreSQL of its own, which the service and others may share. @returns its address */
export async function startDatabase({ onEnd }: Pick<BenchContext, 'onEnd'>, folder: string): Promise<string> {
  const database = await startEmbeddedPostgres({ folder, name: 'touchstone' });
  onEnd(() => database.close());
  const { host, port, user, password } = database.connection;
  return `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/touchstone`;
}
