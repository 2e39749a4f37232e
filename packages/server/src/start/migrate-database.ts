import { startOrClose } from '../core/prepare.ts';
import { SCHEMAS } from '../parts.ts';
import { prepareDatabase } from '../platform/database/prepare-database.ts';
import type { Config } from '../platform/settings/config.ts';

/**
 * Brings the schema of the database up to date, and starts no service: for a step of a deployment before its nodes start.
 *
 * @throws StartError for what an operator can fix
 */
export async function migrateDatabase(config: Config): Promise<void> {
  await startOrClose(config, {}, async ({ logger, closers }) => {
    await prepareDatabase({ config, logger, closers, schemas: SCHEMAS, onLost: () => {} });
    await closers.closeAll();
  });
}
