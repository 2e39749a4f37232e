import { dirname, join } from 'node:path';
import { type Start, startOrClose } from '../core/prepare.ts';
import type { OperatorKey } from '../core/registry/api-keys/operator-key.ts';
import type { RunningService } from '../core/running-service.ts';
import { addressesOf } from '../platform/http/listen.ts';
import { makeFolder } from '../platform/lifecycle/make-folder.ts';
import { createSupervisorMetrics } from '../platform/metrics/supervisor-metrics.ts';
import type { Account } from '../platform/processes/account.ts';
import { variablesOfLibraries } from '../platform/processes/environment.ts';
import { transferFolder } from '../platform/processes/file-ownership.ts';
import {
  type Supervised,
  type SupervisorOptions,
  superviseProcesses,
} from '../platform/processes/supervisor.ts';
import type { Config } from '../platform/settings/config.ts';
import { processShare } from '../platform/settings/process-share.ts';
import { checkNamedFiles } from './check-named-files.ts';
import type { PreparedForProcesses } from './prepare-for-processes.ts';
import type { ProcessOrder } from './process.ts';
import { areNamedFilesThere, unprivilegedAccount } from './unprivileged.ts';

/**
 * Starts a whole service in several processes: this one holds the data folder and the port, supervises the others, and answers
 * no requests itself.
 *
 * @param prepareParts - makes what parts need; usually called after the processes have been started
 * @param commit - that runs, for the metrics
 * @throws StartError for what an operator can fix
 */
export async function startProcesses(
  config: Config,
  prepareParts: () => Promise<void>,
  commit?: string,
): Promise<RunningService> {
  return startOrClose(config, {}, (start) => supervise(start, prepareParts, commit), 'supervisor');
}

async function supervise(
  start: Start,
  prepareParts: () => Promise<void>,
  commit: string | undefined,
): Promise<RunningService> {
  const { config, logger, closers } = start;
  await checkNamedFiles(config, start.clock());
  const ready = Promise.withResolvers<PreparedForProcesses>();
  let operator: OperatorKey = {};
  const beforeListening = async () => {
    const { place, ensureOperatorKey } = await ready.promise;
    operator = await ensureOperatorKey();
    return { addresses: await addressesOf(config.host), port: place.port };
  };
  await makeFolder(config.dataDir, 0o711);
  const open = () => openProcesses(start, ready.promise, beforeListening, commit);
  // they load their modules in parallel with this process, and with the start of the database
  const early = (await areNamedFilesThere(config)) ? await open() : undefined;
  const { place, embedded, lost } = await loadAndPrepare(start, prepareParts).then(
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
    'listening',
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

/** Loaded after the processes have been started, since they need not wait for it. */
async function loadAndPrepare(
  start: Start,
  prepareParts: () => Promise<void>,
): Promise<PreparedForProcesses> {
  await prepareParts();
  const { prepareForProcesses } = await import('./prepare-for-processes.ts');
  return prepareForProcesses(start);
}

/** Starts the processes; each opens what it needs once the preparations are complete. */
async function openProcesses(
  { config, logger }: Start,
  ready: Promise<PreparedForProcesses>,
  beforeListening: SupervisorOptions['beforeListening'],
  commit: string | undefined,
): Promise<Supervised> {
  const { processes: count } = config;
  const entry = new URL('./process.ts', import.meta.url);
  const account = await unprivilegedAccount(config, entry);
  if (account !== undefined) logger.info({ account }, 'started by root; requests are answered as this user');
  const share = { ...processShare(config, count), operatorKey: undefined };
  const metrics = createSupervisorMetrics(commit);
  const variables = variablesOfLibraries();
  return superviseProcesses({
    entry,
    count,
    orderFor: async (number): Promise<ProcessOrder> => {
      const { place } = await ready;
      return { config: share, place, number, processes: count, commit, variables };
    },
    beforeListening,
    account,
    env: { NODE_COMPILE_CACHE: await compileCache(config, account) },
    logger,
    shutdownDelay: config.shutdownDelay,
    onEnd: metrics.onProcessEnd,
    ownMetrics: metrics.report,
  });
}

/** Cache of compiled modules, one per user: another user who could write there could run code. */
async function compileCache({ dataDir }: Config, account: Account | undefined): Promise<string> {
  const uid = account?.uid ?? process.getuid?.() ?? 0;
  const folder = join(dataDir, 'compile-cache', String(uid));
  // without it, each start compiles the modules again
  await makeFolder(dirname(folder), 0o711)
    .then(() => makeFolder(folder, 0o700))
    .then(() => (account === undefined ? undefined : transferFolder(folder, account)))
    .catch(() => {});
  return folder;
}
