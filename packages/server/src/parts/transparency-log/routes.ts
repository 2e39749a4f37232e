import { hash as digest } from 'node:crypto';
import { decodeTilePath, formatLogProof, TILE_WIDTH, tileWidth } from '@touchstone/certificate/log';
import * as contract from '@touchstone/contract';
import type { Registry } from '../../core/registry/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { scopeOf } from '../../platform/http/access.ts';
import { implement, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { readDomain } from './domains.ts';
import { renderFeed } from './feed.ts';
import { type LogStateOptions, readLogState, renderPolicy, statementOf } from './get-log.ts';
import { inclusionsOf } from './inclusions.ts';
import { readLeaves } from './leaf-table.ts';
import { changeMerchantLog, readMerchantLog } from './merchant-log.ts';
import { parseShardName, readShard, readShards, type Shard, shardName } from './shards.ts';
import type { TileStore } from './tile-store.ts';

export interface LogUseCases extends LogStateOptions {
  readonly storeOf: (name: string) => TileStore;
  readonly secrets: Pick<DatabaseSecrets, 'hash' | 'rows'>;
  readonly registry: Registry;
  /** Called when a file is not there that must be. */
  readonly onLost: () => void;
}

/** Entries of a feed. */
const FEED_ENTRIES = 100;

export function transparencyLogRoutes(use: LogUseCases): Route[] {
  const { db, secrets, registry, baseUrl, policy } = use;
  const text = (body: string, contentType = 'text/plain; charset=utf-8') =>
    ({ status: 200, headers: { 'content-type': contentType, etag: etagOf(body) }, body }) as const;
  return [
    implement(contract.getLog, async () => {
      const body = await readLogState(use);
      return { status: 200, headers: { etag: etagOf(JSON.stringify(body)) }, body };
    }),
    implement(contract.getLogPolicy, async () => text(await renderPolicy(use))),
    implement(contract.getLogCheckpoint, async ({ params }) => {
      const { checkpoint, cosignatures } = await publishedShard(use, params.log_name);
      return text(checkpoint + cosignatures);
    }),
    implement(contract.getLogTile, async ({ params }) => {
      const { size } = await publishedShard(use, params.log_name);
      const path = `tile/${params['*']}`;
      const tile = decodeTilePath(path);
      const bytes =
        tile !== null && isPublished(tile, size) ? await use.storeOf(params.log_name).read(path) : null;
      // a partial one may have been removed once there was the full one
      if (bytes === null && tile?.width === TILE_WIDTH && isPublished(tile, size)) use.onLost();
      if (bytes === null) throw new ServiceError('log_tile_unknown');
      return { status: 200, headers: { etag: etagOf(bytes) }, body: bytes };
    }),
    implement(contract.getLogProof, async ({ params }) => text(await readLogProof(use, params.hash))),
    implement(contract.getDomainLog, async ({ params: { host }, query }, { identity }) => {
      const found = await readDomain({ db, secrets }, host, identity, query);
      return ok({ domain: host, statement: statementOf(await readShards(db), policy), ...found });
    }),
    implement(contract.getDomainFeed, async ({ params: { host } }) => {
      const { entries } = await readDomain({ db, secrets }, host, null, { limit: FEED_ENTRIES });
      const self = `${baseUrl}${contract.LOG_BASE}/domains/${host}/feed`;
      return text(renderFeed({ host, self, baseUrl }, entries), 'application/atom+xml; charset=utf-8');
    }),
    implement(contract.getMerchantLog, async ({ params }, { identity }) =>
      ok(await readMerchantLog(registry, scopeOf(identity), params.merchant_id)),
    ),
    implement(contract.setMerchantLog, async ({ params, body }, { identity }) =>
      ok(await changeMerchantLog(registry, scopeOf(identity), params.merchant_id, body.hideDomain)),
    ),
  ];
}

const etagOf = (body: string | Uint8Array) => `"${digest('sha256', body, 'base64url').slice(0, 27)}"`;

async function readLogProof({ db, storeOf }: LogUseCases, hash: string): Promise<string> {
  const [leaf] = await readLeaves(db, [Buffer.from(hash, 'base64url')]);
  const { year = 0, number = null, index = null } = leaf ?? {};
  const shard = number === null ? undefined : await readShard(db, { year, number });
  if (
    leaf === undefined ||
    shard === undefined ||
    shard.checkpoint === null ||
    index === null ||
    index >= shard.size
  )
    throw new ServiceError('log_proof_unknown');
  const { witnessed, witnessed_size: witnessedSize } = shard;
  const [checkpoint, size] =
    witnessed !== null && index < witnessedSize
      ? [witnessed, witnessedSize]
      : [shard.checkpoint + shard.cosignatures, shard.size];
  const [hashes = []] = await inclusionsOf(storeOf(shardName(shard)), [index], size);
  return formatLogProof({ extra: new TextEncoder().encode(leaf.leaf), index, hashes, checkpoint });
}

async function publishedShard(
  { db }: LogUseCases,
  name: string,
): Promise<Shard & { readonly checkpoint: string }> {
  const id = parseShardName(name);
  const shard = id === null ? undefined : await readShard(db, id);
  if (shard?.checkpoint == null) throw new ServiceError('log_shard_unknown');
  return { ...shard, checkpoint: shard.checkpoint };
}

/** Whether the tree has this tile, or had it at a smaller size: files of checkpoints to come are not served. */
function isPublished(
  { level, n, width }: NonNullable<ReturnType<typeof decodeTilePath>>,
  size: number,
): boolean {
  return width <= tileWidth(level === 'entries' ? 0 : level, n, size);
}
