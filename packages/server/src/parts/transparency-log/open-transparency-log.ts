import type { Core } from '../../core/core.ts';
import type { OpenPart } from '../../core/part.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import { countLog, logMetrics } from './count-log.ts';
import { endShards, openShards } from './open-shards.ts';
import { publishAllNewest, repairFiles } from './repair-files.ts';
import { transparencyLogRoutes } from './routes.ts';
import { createSequencer } from './sequencer.ts';
import { readShards, type Shard, shardName } from './shards.ts';
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
/** Milliseconds for which witnesses are asked to cosign the last checkpoint of a log that ended. */
const ASKED_AFTER_END = 86_400 * SECOND;

export async function openTransparencyLog(core: TransparencyLogCore): Promise<OpenPart> {
  const { db, clock, baseUrl, blobs, logger } = core;
  const keys = core.keys.transparencyLog;
  const stores = new Map<string, TileStore>();
  const storeOf = (name: string) => {
    const store = stores.get(name) ?? createTileStore(blobs, name);
    stores.set(name, store);
    return store;
  };
  const policy = await readPolicyFile(core.policyFile);
  const onRestored = (name: string, leaves: number) =>
    logger.error(
      { log: name, leaves },
      'the database is older than the transparency log that was published: it was restored. The leaves that it had forgotten were taken over',
    );
  const options = { db, clock, keys, baseUrl, storeOf, onRestored };
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
    findings: metrics.findings,
    onPublished: (trx, published) => tellOwners(trx, core, published),
  });
  core.closers.add('sequencer of the transparency log', sequencer.close);
  let isLost = false;
  const repair = async () => {
    isLost = false;
    for (const shard of await readShards(db)) {
      const written = await repairFiles(options, shard);
      if (written.length > 0)
        logger.error(
          { log: shardName(shard), files: written.length, first: written.slice(0, 10) },
          'files of the transparency log were missing or damaged in the blob store. They were made again from its leaves',
        );
    }
  };
  const openCurrent = () => {
    const year = clock().getUTCFullYear();
    return openShards(options, [year, year + 1]);
  };
  await openCurrent();
  core.log.start(sequencer);
  return {
    routes: transparencyLogRoutes({
      ...options,
      onLost: () => {
        isLost = true;
      },
      policy,
      secrets: core.secrets,
      registry: core.registry,
    }),
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
          for (const shard of await readShards(db)) {
            // one that answers late keeps nobody waiting
            if (isToBeWitnessed(shard, clock())) void witnesses.ask(shard).catch(onWitnessFault);
          }
        },
      },
      { name: 'open transparency logs', every: 3_600 * SECOND, run: openCurrent },
      {
        name: 'publish checkpoints again',
        every: 5 * SECOND,
        atStart: true,
        run: () => publishAllNewest(options),
      },
      { name: 'check files of transparency logs', every: 86_400 * SECOND, run: () => repair() },
      {
        name: 'repair files of transparency logs',
        every: 30 * SECOND,
        run: async () => {
          if (sequencer.takeDamaged() || isLost) await repair();
        },
      },
      { name: 'end transparency logs', every: 10 * SECOND, atStart: true, run: () => endShards(options) },
    ],
  };
}

function isToBeWitnessed({ size, witnessed_size: witnessed, ended_at: endedAt }: Shard, now: Date): boolean {
  return witnessed < size && (endedAt === null || now.getTime() < endedAt.getTime() + ASKED_AFTER_END);
}
