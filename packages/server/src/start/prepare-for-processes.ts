import { openSigner } from '../core/images/signer.ts';
import { openSecrets } from '../core/keys/open-secrets.ts';
import { type Prepared, prepareService, type Start } from '../core/prepare.ts';
import { ensureOperatorKey, type OperatorKey } from '../core/registry/api-keys/operator-key.ts';
import { releaseAbandonedWork } from '../core/release-abandoned-work.ts';
import { emitterOf, SCHEMAS } from '../parts.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import type { DatabaseSecrets } from '../platform/secrets/database-secrets.ts';
import { grantReadOfOwnFiles } from './unprivileged.ts';

/** Connections of this process, which runs few statements, one after another. */
const CONNECTIONS = 2;

export interface PreparedForProcesses extends Prepared {
  /** Called last: an operator key created by a start that then fails would never be shown. */
  readonly ensureOperatorKey: () => Promise<OperatorKey>;
}

/** The data folder is locked, and contains all that the processes need. */
export async function prepareForProcesses(start: Start): Promise<PreparedForProcesses> {
  const { config, clock, closers } = start;
  const prepared = await prepareService(start, SCHEMAS);
  const { db, close } = openDatabase({ connection: prepared.place.connection, max: CONNECTIONS });
  closers.add('database pool', close);
  if (prepared.embedded !== undefined) await releaseAbandonedWork(db);
  const secrets = await makeFiles(start, db);
  await grantReadOfOwnFiles(config);
  const kept = { db, secrets, emit: emitterOf(config) };
  return { ...prepared, ensureOperatorKey: () => ensureOperatorKey(config, kept, clock()) };
}

/** Creates the files of a first start before the processes start, each of which would create its own otherwise. */
async function makeFiles(start: Start, db: Database): Promise<DatabaseSecrets> {
  const { config, clock } = start;
  const { secrets } = await openSecrets({ ...start, db });
  await openSigner(config.images.signer, config.dataDir, clock());
  return secrets;
}
