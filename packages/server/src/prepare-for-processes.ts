import { openSigner } from './images/signer.ts';
import { findMasterKey } from './keys/master-key.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { masterKeyPlace } from './platform/settings/config.ts';
import { type Prepared, prepareService, type Start } from './prepare.ts';
import { ensureOperatorKey, type OperatorKey } from './registry/api-keys/operator-key.ts';
import { releaseAbandonedWork } from './release-abandoned-work.ts';
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
  const prepared = await prepareService(start);
  const { db, close } = openDatabase({ connection: prepared.place.connection, max: CONNECTIONS });
  closers.add('database pool', close);
  if (prepared.embedded !== undefined) await releaseAbandonedWork(db);
  await makeFiles(start, db);
  await grantReadOfOwnFiles(config);
  return { ...prepared, ensureOperatorKey: () => ensureOperatorKey(config, db, clock()) };
}

/** Creates the files of a first start before the processes start, each of which would create its own otherwise. */
async function makeFiles({ config, clock }: Start, db: Database): Promise<void> {
  await findMasterKey(db, masterKeyPlace(config));
  await openSigner(config.images.signer, config.dataDir, clock());
}
