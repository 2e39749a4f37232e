import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { createDatabaseSecrets, type DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { createRefusedRows, type RefusedRows } from '../../platform/secrets/refused-rows.ts';
import { sealRows } from '../../platform/secrets/seal-rows.ts';
import { type Config, masterKeyPlace } from '../../platform/settings/config.ts';
import { findMasterKey, requireMasterKeyOpens } from './master-key.ts';

export interface SecretsOptions {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

/**
 * What the master key protects; reads the key, or creates it at the first start.
 *
 * @throws StartError saying what to supply
 */
export async function openSecrets(options: SecretsOptions): Promise<{
  readonly secrets: DatabaseSecrets;
  readonly refusedRows: RefusedRows;
}> {
  const { config, db, clock, logger, metrics } = options;
  const masterKey = await findMasterKey(db, masterKeyPlace(config));
  const refusedRows = createRefusedRows(logger, metrics);
  const secrets = createDatabaseSecrets(masterKey, refusedRows.onRefused);
  await requireMasterKeyOpens(db, secrets.seal);
  await sealRows({ db, clock, logger, secrets, sealRowsOn: config.sealRowsOn });
  return { secrets, refusedRows };
}
