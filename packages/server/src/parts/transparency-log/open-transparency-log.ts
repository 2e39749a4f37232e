import type { Core } from '../../core/core.ts';
import type { OpenPart } from '../../core/part.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import { countLog, logMetrics } from './count-log.ts';
import { transparencyLogRoutes } from './routes.ts';
import { createSequencer } from './sequencer.ts';
import { openShards, readShards } from './shards.ts';
import { createTileStore, type TileStore } from './tile-store.ts';
import type { TransparencyLog } from './transparency-log.ts';
import { tellOwners } from './watched-domains.ts';
import { createWitnesses, readPolicyFile } from './witnesses.ts';

export interface TransparencyLogCore
  extends Pick<
    Core,
    | 'db'
    | 'clock'
    | 'secrets'
    | 'baseUrl'
    | 'blobs'
    | 'keys'
    | 'logger'
    | 'metrics'
    | 'closers'
    | 'registry'
    | 'fetchers'
    | 'emit'
  > {
  readonly log: TransparencyLog;
  readonly policyFile: string | undefined;
}

const SECOND = 1_000;

export async function openTransparencyLog(core: TransparencyLogCore): Promise<OpenPart> {
  const { db, clock, baseUrl, blobs, logger } = core;
  const keys = core.keys.transparencyLog;
  const stores = new Map<number, TileStore>();
  const storeOf = (year: number) => {
    const store = stores.get(year) ?? createTileStore(blobs, year);
    stores.set(year, store);
    return store;
  };
  const policy = await readPolicyFile(core.policyFile);
  const options = { db, clock, keys, baseUrl, storeOf };
  const metrics = logMetrics(core.metrics);
  const witnesses = createWitnesses({
    db,
    policy,
    client: core.fetchers.api,
    storeOf,
    onAnswer: metrics.onAnswer,
  });
  const onWitnessFault = createFaultWarning(core, 'witnesses of the transparency log could not be asked');
  const sequencer = createSequencer({
    ...options,
    logger,
    onRestored: (year, leaves) =>
      logger.error(
        { year, leaves },
        'the database is older than the transparency log that was published: it was restored. The leaves that it had forgotten were taken over',
      ),
    findings: metrics.findings,
    onPublished: (trx, published) => tellOwners(trx, core, published),
  });
  core.closers.add('sequencer of the transparency log', sequencer.close);
  const openCurrent = () => {
    const year = clock().getUTCFullYear();
    return openShards(options, [year, year + 1]);
  };
  await openCurrent();
  core.log.start(sequencer);
  return {
    routes: transparencyLogRoutes({ ...options, policy, secrets: core.secrets, registry: core.registry }),
    tasks: [
      { name: 'publish the transparency log', every: SECOND, run: () => sequencer.run().catch(() => {}) },
      {
        name: 'count the transparency log',
        every: 10 * SECOND,
        atStart: true,
        run: () => countLog(db, metrics.onCounted),
      },
      {
        name: 'ask witnesses',
        every: SECOND,
        async run() {
          for (const { year, size, witnessed_size: witnessed } of await readShards(db)) {
            // one that answers late keeps nobody waiting
            if (witnessed < size) void witnesses.ask(year).catch(onWitnessFault);
          }
        },
      },
      { name: 'open transparency logs', every: 3_600 * SECOND, run: openCurrent },
    ],
  };
}
