import { dirname, join } from 'node:path';
import { endWork } from './end-work.ts';
import { openSigner } from './images/signer.ts';
import { findMasterKey } from './keys/master-key.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { makeFolder } from './platform/lifecycle/make-folder.ts';
import { createSupervisorMetrics } from './platform/metrics/supervisor-metrics.ts';
import type { Account } from './platform/processes/account.ts';
import { giveFolder } from './platform/processes/hand-over.ts';
import { type Supervised, superviseProcesses } from './platform/processes/supervisor.ts';
import { type Config, masterKeyPlace } from './platform/settings/config.ts';
import { processShare } from './platform/settings/process-share.ts';
import { type Prepared, prepareService, type Start, startOrClose } from './prepare.ts';
import type { ProcessOrder } from './process.ts';
import { ensureOperatorKey, type OperatorKey } from './registry/api-keys/operator-key.ts';
import type { RunningService } from './running-service.ts';
import { letReadOwnFiles, unprivilegedAccount, wasStartedBefore } from './unprivileged.ts';

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
  const ready = Promise.withResolvers<Ready>();
  let operator: OperatorKey = {};
  const beforeListening = async () => {
    const { db } = await ready.promise;
    // last of what can be refused: a key made at a start that then fails would never be shown
    operator = await ensureOperatorKey(config, db, clock());
  };
  const open = () => openProcesses(start, ready.promise, beforeListening);
  // they load their modules while the database starts; at the first start there is nothing yet that they may be let read
  const early = (await wasStartedBefore(config)) ? await open() : undefined;
  const { place, embedded, lost } = await makeReady(start).then(
    (made) => {
      ready.resolve(made);
      return made;
    },
    async (error: unknown) => {
      await early?.close();
      throw error;
    },
  );
  const processes = early ?? (await open());
  closers.add('processes', processes.close);
  await processes.ready;
  const { url, baseUrl } = place;
  await embedded?.setAddress(url);
  logger.info(
    { url, baseUrl, processes: config.processes, database: embedded ? config.dataDir : 'DATABASE_URL' },
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

interface Ready extends Prepared {
  readonly db: Database;
}

/** The data folder is ours, and holds all that the processes need. */
async function makeReady(start: Start): Promise<Ready> {
  const { config, closers } = start;
  const prepared = await prepareService(start);
  const { db, close } = openDatabase({ connection: prepared.place.connection, max: CONNECTIONS });
  closers.add('database pool', close);
  if (prepared.embedded !== undefined) await endWork(db);
  await makeFiles(start, db);
  await letReadOwnFiles(config);
  return { ...prepared, db };
}

/** Starts the processes, which open what they need once all is ready. */
async function openProcesses(
  { config, logger }: Start,
  ready: Promise<Ready>,
  beforeListening: () => Promise<void>,
): Promise<Supervised> {
  const { processes: count } = config;
  const entry = new URL('./process.ts', import.meta.url);
  const account = await unprivilegedAccount(config, entry);
  if (account !== undefined) logger.info({ account }, 'started by root; requests are answered as this user');
  const share = { ...processShare(config, count), operatorKey: undefined };
  const metrics = createSupervisorMetrics();
  return superviseProcesses({
    entry,
    count,
    orderFor: async (number): Promise<ProcessOrder> => {
      const { place } = await ready;
      return { config: share, place, number, processes: count };
    },
    beforeListening,
    account,
    env: { NODE_COMPILE_CACHE: await compileCache(config, account) },
    logger,
    onEnd: metrics.onProcessEnd,
    ownMetrics: metrics.report,
  });
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
