import { openSigner } from './images/signer.ts';
import { findMasterKey } from './keys/master-key.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { masterKeyPlace } from './platform/settings/config.ts';
import { type Prepared, prepareService, type Start } from './prepare.ts';
import { ensureOperatorKey, type OperatorKey } from './registry/api-keys/operator-key.ts';
import { releaseAbandonedWork } from './release-abandoned-work.ts';
import { grantReadOfOwnFiles } from './unprivileged.ts';

/** Statements of this process are few, and one after another. */
const CONNECTIONS = 2;

export interface PreparedForProcesses extends Prepared {
  /** The last of what can be refused: a key made at a start that then fails would never be shown. */
  readonly ensureOperatorKey: () => Promise<OperatorKey>;
}

/** The data folder is ours, and holds all that the processes need. */
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

/** What is made at the first start is made here: several processes would each make their own. */
async function makeFiles({ config, clock }: Start, db: Database): Promise<void> {
  await findMasterKey(db, masterKeyPlace(config));
  await openSigner(config.images.signer, config.dataDir, clock());
}
