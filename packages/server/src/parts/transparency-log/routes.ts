import * as contract from '@touchstone/contract';
import { decodeTilePath, formatLogProof, tileWidth } from '@touchstone/certificate/log';
import type { LogKeys } from '../../core/keys/open-log-keys.ts';
import type { Registry } from '../../core/registry/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import { implement } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { inclusionsOf } from './inclusions.ts';
import { readLeaves } from './leaf-table.ts';
import { readShard, type Shard } from './shards.ts';
import type { TileStore } from './tile-store.ts';

export interface LogUseCases {
  readonly db: Database;
  readonly keys: LogKeys;
  readonly storeOf: (year: number) => TileStore;
  readonly secrets: Pick<DatabaseSecrets, 'hash' | 'rows'>;
  readonly registry: Registry;
  readonly baseUrl: string;
}

export function transparencyLogRoutes(use: LogUseCases): Route[] {
  return [
    implement(contract.getLogCheckpoint, async ({ params }) => {
      const { checkpoint, cosignatures } = await publishedShard(use, params.year);
      return { status: 200, body: checkpoint + cosignatures };
    }),
    implement(contract.getLogTile, async ({ params }) => {
      const { year, size } = await publishedShard(use, params.year);
      const path = `tile/${params['*']}`;
      const tile = decodeTilePath(path);
      if (tile === null || !isPublished(tile, size)) throw new ServiceError('log_tile_unknown');
      const bytes = await use.storeOf(year).read(path);
      if (bytes === null) throw new ServiceError('log_tile_unknown');
      return { status: 200, body: bytes };
    }),
    implement(contract.getLogProof, async ({ params }) => {
      const [leaf] = await readLeaves(use.db, [Buffer.from(params.hash, 'hex')]);
      const shard = leaf === undefined ? undefined : await readShard(use.db, leaf.year);
      const index = leaf?.index ?? null;
      if (leaf === undefined || shard === undefined || shard.checkpoint === null || index === null || index >= shard.size)
        throw new ServiceError('log_proof_unknown');
      const isWitnessed = shard.witnessed !== null && index < shard.witnessed_size;
      const size = isWitnessed ? shard.witnessed_size : shard.size;
      const checkpoint = isWitnessed ? (shard.witnessed as string) : shard.checkpoint + shard.cosignatures;
      const [hashes = []] = await inclusionsOf(use.storeOf(leaf.year), [index], size);
      const extra = new TextEncoder().encode(leaf.leaf);
      return { status: 200, body: formatLogProof({ extra, index, hashes, checkpoint }) };
    }),
  ];
}

async function publishedShard({ db }: LogUseCases, year: string): Promise<Shard & { readonly checkpoint: string }> {
  const shard = await readShard(db, Number(year));
  if (shard?.checkpoint == null) throw new ServiceError('log_shard_unknown');
  return { ...shard, checkpoint: shard.checkpoint };
}

/** Whether the tree has this tile, or had it at a smaller size: files of checkpoints to come are not served. */
function isPublished({ level, n, width }: NonNullable<ReturnType<typeof decodeTilePath>>, size: number): boolean {
  return width <= tileWidth(level === 'entries' ? 0 : level, n, size);
}
