import { getStatusListKeys, statusListPath } from '@touchstone/contract';
import type { Core } from '../../core/core.ts';
import { createGetKeySet } from '../../core/keys/get-key-set.ts';
import type { OpenPart } from '../../core/part.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import { createStatusEntries, openListIfDue } from './allocate.ts';
import { createComparison } from './comparison.ts';
import { countLists, deleteEndedLists, statusMetrics } from './count-lists.ts';
import { createGetStatusList, renderToken } from './get-status-list.ts';
import { claimRequiredFrom, readKeySet } from './key-set.ts';
import { createListCopies, readOwnToken } from './list-copies.ts';
import { mergeLists } from './merge-lists.ts';
import { publishNewList } from './publish-lists.ts';
import { createPublisher } from './publisher.ts';
import { compareCopies, copyLists } from './reconcile-copies.ts';
import { statusListRoutes } from './routes.ts';
import { readTokens } from './token-table.ts';

export type StatusListsCore = Pick<
  Core,
  | 'config'
  | 'db'
  | 'clock'
  | 'secrets'
  | 'baseUrl'
  | 'blobs'
  | 'keys'
  | 'logger'
  | 'metrics'
  | 'caching'
  | 'changes'
  | 'closers'
  | 'emit'
  | 'publicDocuments'
  | 'readiness'
>;

const SECOND = 1_000;

export async function openStatusLists(core: StatusListsCore): Promise<OpenPart> {
  const { config, db, clock, secrets, baseUrl, logger, caching } = core;
  const keys = core.keys.statusLists;
  const copies = createListCopies(core.blobs);
  const readToken = (token: string) => readOwnToken(token, keys, [baseUrl, ...config.formerBaseUrls]);
  const options = {
    db,
    clock,
    secrets,
    baseUrl,
    keys,
    proofKeys: core.keys.proofs,
    emit: core.emit,
    copies,
    readToken,
    logger,
    hub: core.changes,
    ...statusMetrics(core.metrics),
  };
  const onCopyFault = createFaultWarning(
    core,
    'the copies of status lists are not reachable; it is tried again',
  );
  const openDue = async () => {
    const opened = await openListIfDue({
      ...options,
      publishFirst: (trx, listId) => publishNewList(trx, options, { listId, baseUrl }),
    });
    if (opened !== undefined) await copyLists(options, undefined).catch(onCopyFault);
  };
  const comparison = createComparison({
    hub: core.changes,
    async compare() {
      await compareCopies(options);
      await openDue();
      await copyLists(options, undefined).catch(onCopyFault);
    },
    onFault: onCopyFault,
  });
  core.closers.add('comparison of status lists', comparison.close);
  core.readiness.reportFindings(comparison.findings);
  await comparison.attempt();
  const publisher = createPublisher({ ...options, comparison });
  core.closers.add('publisher of status lists', publisher.close);
  const getKeySet = createGetKeySet({
    clock,
    caching,
    read: () => readKeySet({ db, clock, keys }),
    tags: ['l:keys'],
  });
  core.publicDocuments.add(async () => {
    const rows = await comparison.whenDone(() => readTokens(db));
    return [
      { path: getStatusListKeys.path, ...(await getKeySet()) },
      ...rows.map((row) => ({ path: statusListPath(row.list_id), ...renderToken(row) })),
    ];
  });
  const unlessLost = (run: () => Promise<unknown>) => async () => (comparison.isDone() ? run() : undefined);
  return {
    statusEntries: createStatusEntries({ db, clock, secrets, baseUrl, comparison }),
    routes: statusListRoutes({
      db,
      getList: createGetStatusList({ db, clock, caching, comparison }),
      getKeySet,
      async merge(token) {
        await mergeLists(options, [await readToken(token)]);
        await openDue();
        // from then on a blob store that had lost its copies has them
        await copyLists(options, undefined);
        await comparison.attempt();
        await publisher.run();
      },
    }),
    tasks: [
      { name: 'publish status lists', every: SECOND, atStart: true, run: publisher.run },
      { name: 'open status lists', every: 30 * SECOND, run: unlessLost(openDue) },
      { name: 'count status lists', every: 10 * SECOND, atStart: true, run: () => countLists(options) },
      {
        name: 'copy status lists',
        every: 3_600 * SECOND,
        run: unlessLost(() => copyLists(options, undefined)),
      },
      {
        name: 'delete status lists',
        every: 3_600 * SECOND,
        run: unlessLost(() => deleteEndedLists(options)),
      },
      {
        name: 'state since when proofs name an entry',
        every: 3_600 * SECOND,
        atStart: true,
        run: () => claimRequiredFrom(options),
      },
    ],
  };
}
