import { setTimeout as delay } from 'node:timers/promises';
import { VERSION } from '@touchstone/certificate';
import { formatLogProof } from '@touchstone/certificate/log';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import { isOlder } from '../../platform/database/releases.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import { inclusionsOf } from './inclusions.ts';
import { type PlacedLeaf, readLeaves } from './leaf-table.ts';
import type { NewLeaf } from './leaves.ts';
import { endShards, openShards, type ShardOptions } from './open-shards.ts';
import { AT_ONCE, LogOver, type PublishingOptions, publishLeaves, yearsWaiting } from './publish-leaves.ts';
import { LogRefusal } from './reconcile.ts';
import { readShard, readShards, type Shard, shardName } from './shards.ts';
import { MissingTile } from './tile-store.ts';
import type { LeafPublisher } from './transparency-log.ts';

export interface SequencerOptions extends PublishingOptions, ShardOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly findings?: () => readonly string[];
}

export interface Sequencer extends LeafPublisher {
  /** Whether files were missing or damaged since this was asked last. */
  takeDamaged(): boolean;
  /** Publishes what waits; joins a run only if that has not begun to read. */
  run(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Milliseconds between the beginnings of two runs, so that leaves share files and checkpoints: longer while there are many, none after one
 * that had nothing to share. Whoever issues one proof after another would wait each time.
 */
const GAP = { one: 0, few: 50, many: 200 };
const FEW = 64;
const gapAfter = (published: number) => (published <= 1 ? GAP.one : published <= FEW ? GAP.few : GAP.many);
/** The longest inclusion that a document carries. */
const MOST_CARRIED = 2_048;
/** Milliseconds for which it is known whether nodes of an older release run, whose documents carry no inclusion. */
const OLDER_KNOWN_FOR = 15_000;

export function createSequencer(options: SequencerOptions): Sequencer {
  const { db, logger, clock, storeOf, findings = () => [] } = options;
  const warn = createFaultWarning(
    { logger, clock },
    'the transparency log does not grow; proofs are published without their inclusion, and logged later',
  );
  let isFailing = false;
  let isClosed = false;
  let isDamaged = false;
  let gap = GAP.one;
  let lastBegun = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let older = { isThere: false, at: Number.NEGATIVE_INFINITY };

  const runOnce = async (): Promise<void> => {
    if (isClosed) return;
    await delay(Math.max(0, lastBegun + gap - performance.now()));
    lastBegun = performance.now();
    try {
      for (const year of await yearsWaiting(db)) {
        for (let published = AT_ONCE; published >= AT_ONCE; ) {
          published = await publishLeaves(options, year).catch(async (error: unknown) => {
            if (!(error instanceof LogOver)) throw error;
            await endShards(options);
            // in its successor
            return AT_ONCE;
          });
          gap = gapAfter(published);
        }
      }
      isFailing = false;
    } catch (error) {
      isFailing = true;
      isDamaged ||= error instanceof LogRefusal || error instanceof MissingTile;
      warn(error);
      if (error instanceof LogRefusal)
        await sql`update log_shards set refusal = ${error.message}
          where ended_at is null and (assigned > size or refusal is not null)`
          .execute(db)
          .catch(() => {});
      throw error;
    }
  };

  const run = (): Promise<void> => {
    // what waits now may have come after the present run had read
    next ??= (running ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        next = undefined;
        running = runOnce().finally(() => {
          running = undefined;
        });
        return running;
      });
    return next;
  };

  const isOlderThere = async (): Promise<boolean> => {
    if (performance.now() - older.at > OLDER_KNOWN_FOR) {
      const { rows } = await sql<{ version: string }>`
        select distinct version from nodes where seen_at > now() - interval '60 seconds'`.execute(db);
      older = { isThere: rows.some(({ version }) => isOlder(version, VERSION)), at: performance.now() };
    }
    return older.isThere;
  };

  return {
    run,
    isFailing: () => isFailing,
    takeDamaged() {
      const was = isDamaged;
      isDamaged = false;
      return was;
    },
    findings,
    async include(leaves: readonly NewLeaf[], signal) {
      const years = [...new Set(leaves.map(({ year }) => year))];
      const open = (await readShards(db)).filter(({ ended_at }) => ended_at === null);
      const known = new Set(open.map(({ year }) => year));
      if (years.some((year) => !known.has(year))) await openShards(options, years);
      const proofs = leaves.map(({ proof }) => proof);
      const texts = new Map<string, string | null>();
      while (!signal.aborted && texts.size < leaves.length) {
        await run();
        for (const [proof, text] of await inclusionTexts(await readLeaves(db, proofs)))
          texts.set(proof, text);
      }
      // their bytes would differ from those of the nodes that are being replaced
      if (await isOlderThere()) return leaves.map(() => null);
      return proofs.map((proof) => texts.get(Buffer.from(proof).toString('hex')) ?? null);
    },
    async close() {
      isClosed = true;
      await Promise.allSettled([next, running]);
    },
  };

  /** The inclusions that documents carry, of those leaves that are published. */
  async function inclusionTexts(leaves: readonly PlacedLeaf[]): Promise<[string, string | null][]> {
    const texts: [string, string | null][] = [];
    const placed = leaves.flatMap((leaf) => (leaf.number === null ? [] : [{ ...leaf, number: leaf.number }]));
    for (const [name, ofLog] of Map.groupBy(placed, shardName)) {
      const [first] = ofLog;
      const shard = first === undefined ? undefined : await readShard(db, first);
      const published = ofLog.filter(
        ({ index }) => shard !== undefined && index !== null && index < shard.size,
      );
      if (shard === undefined || published.length === 0) continue;
      const indexes = published.map(({ index }) => index as number);
      const paths = await inclusionsOf(storeOf(name), indexes, shard.size);
      for (const [at, { proof, leaf }] of published.entries()) {
        const text = proofText(shard, leaf, indexes[at] as number, paths[at] ?? []);
        texts.push([proof.toString('hex'), text.length <= MOST_CARRIED ? text : null]);
      }
    }
    return texts;
  }
}

function proofText(
  { checkpoint }: Shard,
  leaf: string,
  index: number,
  hashes: readonly Uint8Array[],
): string {
  const extra = new TextEncoder().encode(leaf);
  return formatLogProof({ extra, index, hashes, checkpoint: checkpoint ?? '' });
}
