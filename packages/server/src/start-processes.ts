import { dirname, join } from 'node:path';
import { endWork } from './end-work.ts';
import { openSigner } from './images/signer.ts';
import { findMasterKey } from './keys/master-key.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { makeFolder } from './platform/lifecycle/make-folder.ts';
import { createSupervisorMetrics } from './platform/metrics/supervisor-metrics.ts';
import type { Account } from './platform/processes/account.ts';
import { giveFolder } from './platform/processes/hand-over.ts';
import { superviseProcesses } from './platform/processes/supervisor.ts';
import { type Config, masterKeyPlace } from './platform/settings/config.ts';
import { processShare } from './platform/settings/process-share.ts';
import { prepareService, type Start, startOrClose } from './prepare.ts';
import type { ProcessOrder } from './process.ts';
import { ensureOperatorKey, type OperatorKey } from './registry/api-keys/operator-key.ts';
import type { RunningService } from './running-service.ts';
import { unprivilegedAccount } from './unprivileged.ts';

/** Statements of this process are few, and one after another. */
const CONNECTIONS = 2;

/**
 * Starts a whole service in several processes: this one holds the data folder and the port, watches over the others, and
 * answers nothing itself.
 *
 * @throws StartError for what an operator can mend
 */
export async function startProcesses(config: Config): Promise<RunningService> {
  return startOrClose(config, {}, (start) => supervise(start), 'supervisor');
}

async function supervise(start: Start): Promise<RunningService> {
  const { config, clock, logger, closers } = start;
  const { processes: count } = config;
  const { place, embedded, lost } = await prepareService(start);
  const { db, close } = openDatabase({ connection: place.connection, max: CONNECTIONS });
  closers.add('database pool', close);
  if (embedded !== undefined) await endWork(db);
  await makeFiles(start, db);
  const entry = new URL('./process.ts', import.meta.url);
  const account = await unprivilegedAccount(config, entry);
  if (account !== undefined) logger.info({ account }, 'started by root; requests are answered as this user');
  const share = { ...processShare(config, count), operatorKey: undefined };
  const metrics = createSupervisorMetrics();
  let operator: OperatorKey = {};
  const processes = superviseProcesses({
    entry,
    count,
    orderFor: (number): ProcessOrder => ({ config: share, place, number, processes: count }),
    beforeListening: async () => {
      // last of what can be refused: a key made at a start that then fails would never be shown
      operator = await ensureOperatorKey(config, db, clock());
    },
    account,
    env: { NODE_COMPILE_CACHE: await compileCache(config, account) },
    logger,
    onEnd: metrics.onProcessEnd,
    ownMetrics: metrics.report,
  });
  closers.add('processes', processes.close);
  await processes.ready;
  const { url, baseUrl } = place;
  await embedded?.setAddress(url);
  logger.info(
    { url, baseUrl, processes: count, database: embedded ? config.dataDir : 'DATABASE_URL' },
    'ready',
  );
  return {
    url,
    baseUrl,
    failed: Promise.race([lost, processes.failed]),
    ...operator,
    async close() {
      await closers.closeAll();
      logger.info('closed');
    },
  };
}

/** Of compiled modules, one for each user: what another could write there would be run. */
async function compileCache({ dataDir }: Config, account: Account | undefined): Promise<string> {
  const uid = account?.uid ?? process.getuid?.() ?? 0;
  const folder = join(dataDir, 'compile-cache', String(uid));
  // without one, each start compiles anew
  await makeFolder(dirname(folder), 0o711)
    .then(() => makeFolder(folder, 0o700))
    .then(() => (account === undefined ? undefined : giveFolder(folder, account)))
    .catch(() => {});
  return folder;
}

/** What is made at the first start is made here: several processes would each make their own. */
async function makeFiles({ config, clock }: Start, db: Database): Promise<void> {
  await findMasterKey(db, masterKeyPlace(config));
  await openSigner(config.images.signer, config.dataDir, clock());
}
