import { join } from 'node:path';
import { startEmbeddedPostgres } from '@touchstone/embedded-postgres';
import type { Registry } from '../../../packages/server/src/core/registry/context.ts';
import { emitterOf, SCHEMAS } from '../../../packages/server/src/parts.ts';
import { openDatabase } from '../../../packages/server/src/platform/database/database.ts';
import { migrate } from '../../../packages/server/src/platform/database/migrate.ts';
import { testSecrets } from '../../../packages/server/src/platform/secrets/testing.ts';

/** An empty registry on a database of its own, in this folder. */
export async function openRegistry(
  folder: string,
): Promise<{ registry: Registry; close: () => Promise<void> }> {
  const server = await startEmbeddedPostgres({ folder: join(folder, 'data'), name: 'touchstone' });
  const { connection } = server;
  await migrate(connection, SCHEMAS);
  const { db, close } = openDatabase({ connection, statementTimeout: 300_000 });
  const registry: Registry = {
    db,
    clock: () => new Date(),
    secrets: testSecrets(),
    onChange: () => {},
    emit: emitterOf({ without: [] }),
  };
  return {
    registry,
    close: async () => {
      await close();
      await server.close();
    },
  };
}
