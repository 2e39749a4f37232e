import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnpublishedProof } from '../../../core/certificates/proof-log.ts';
import type { BlobStore } from '../../../core/images/blobs/blob-store.ts';
import { openFolderBlobs } from '../../../core/images/blobs/folder-blobs.ts';
import { openLogKeys } from '../../../core/keys/open-log-keys.ts';
import { createChangeHub } from '../../../platform/cache/changes.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createLogger } from '../../../platform/log/logger.ts';
import { createDatabaseSecrets } from '../../../platform/secrets/database-secrets.ts';
import { keyOfShard } from '../checkpoints.ts';
import { openShards } from '../open-shards.ts';
import type { PublishingStep } from '../publish-leaves.ts';
import { createSequencer } from '../sequencer.ts';
import { parseShardName, readShard } from '../shards.ts';
import { auditLog, type ReadLog } from '../testing.ts';
import { createTileStore, type TileStore } from '../tile-store.ts';
import { TransparencyLog } from '../transparency-log.ts';

export const TEST_YEAR = 2026;
export const TEST_BASE_URL = 'https://certificates.example';

export interface LogNodeOptions {
  readonly db: Database;
  readonly masterKey: Uint8Array;
  /** Of the blobs. */
  readonly folder: string;
  readonly onStep?: (step: PublishingStep) => void;
  readonly wrap?: (blobs: BlobStore) => BlobStore;
  readonly log?: (line: string) => void;
  /** Milliseconds; a minute by default, however busy the machine. */
  readonly logPatience?: number;
}

/** A node that logs proofs and does nothing else. */
export async function openLogNode({
  db,
  masterKey,
  folder,
  onStep,
  wrap,
  log,
  logPatience = 60_000,
}: LogNodeOptions) {
  const secrets = createDatabaseSecrets(masterKey);
  const clock = () => new Date();
  const keys = await openLogKeys({ db, clock, secrets, caching: { hub: createChangeHub() } });
  const blobs = (wrap ?? ((same: BlobStore) => same))(openFolderBlobs(folder));
  const stores = new Map<string, TileStore>();
  const storeOf = (name: string) => {
    const store = stores.get(name) ?? createTileStore(blobs, name);
    stores.set(name, store);
    return store;
  };
  const restored: number[] = [];
  const onRestored = (_: string, leaves: number) => restored.push(leaves);
  const options = { db, clock, keys, baseUrl: TEST_BASE_URL, storeOf, onRestored };
  const sequencer = createSequencer({
    ...options,
    logger: createLogger('warn', { write: log ?? (() => {}) }),
    ...(onStep === undefined ? {} : { onStep }),
  });
  await openShards(options, [TEST_YEAR]);
  const transparencyLog = new TransparencyLog({ db, secrets, overrides: { logPatience } });
  transparencyLog.start(sequencer);
  return {
    enter: (proofs: readonly UnpublishedProof[]) => transparencyLog.enter(proofs, { isAhead: false }),
    sequencer,
    keys,
    options,
    store: storeOf(String(TEST_YEAR)),
    restored,
    async key(name = String(TEST_YEAR)) {
      const shard = await readShard(db, parseShardName(name) ?? { year: 0, number: 0 });
      const key = shard === undefined ? null : await keyOfShard(keys, shard);
      if (key === null) throw new Error('there is no log');
      return key;
    },
    /** Reads the whole log from its files, as an auditor. */
    async audit(name = String(TEST_YEAR)): Promise<ReadLog> {
      return auditLog((path) => readFile(logPath(folder, path, name)), await this.key(name));
    },
  };
}

export const logPath = (folder: string, path: string, name = String(TEST_YEAR)): string =>
  join(folder, 'lo', 'log', name, path);

/** A proof that nobody has signed: the log does not look at signatures. */
export function testProof(name: string = randomUUID()): UnpublishedProof {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Date.UTC(TEST_YEAR, 5) / 1000;
  const claims = { domain: 'shop.example', iat, exp: iat + 604_800, productId: randomUUID(), name };
  return {
    merchantId: '01234567-89ab-4def-8123-456789abcdef',
    kind: 'product',
    jwt: `${part({ kid: 'key-1' })}.${part(claims)}.${name}`,
  };
}
