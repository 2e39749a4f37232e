import type { RsaPublicJwk, Sha256, VerifyRs256 } from '@touchstone/certificate';
import {
  type AnswerSource,
  createFreshCache,
  type FreshCacheOptions,
} from '../../platform/cache/fresh-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { createKeyRing, type KeyRing } from './key-ring.ts';
import { DEFAULT_KEY_POLICY, type KeyPolicy, type KeyStep, type SigningKey } from './key-schedule.ts';
import {
  type KeyStoreContext,
  type Revocation,
  type RsaPurpose,
  readSigningKeys,
  replaceActiveKey,
  revokeKey,
  rotateAtStart,
  rotateKeys,
} from './key-store.ts';
import { newRsaKey, nodeRs256, nodeSha256, rsaSigner } from './rsa-keys.ts';

export interface ProofKeysOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Pick<DatabaseSecrets, 'seal' | 'rows'>;
  readonly policy?: KeyPolicy;
  /** Default: proofs. Keys of one purpose never sign for another. */
  readonly purpose?: RsaPurpose;
  /** For caching keys, and announcing changes; without it each use reads the database. */
  readonly caching?: Pick<FreshCacheOptions, 'hub' | 'freshness'>;
  readonly newKey?: KeyStoreContext<RsaPublicJwk>['newKey'] | undefined;
  /** Called in the transaction that revokes a key. */
  readonly onRevoked?: KeyStoreContext['onRevoked'];
}

/** The signing keys of one node. */
export interface SigningKeys extends KeyRing {
  readonly verify: VerifyRs256;
  readonly sha256: Sha256;
  /** Rotates the keys if due; hourly is often enough. */
  rotate(): Promise<KeyStep[]>;
  /** All keys, including retired and revoked ones, read from the database. */
  list(): Promise<readonly SigningKey[]>;
  /** Revokes a key at once; false: it is unknown or was revoked before. */
  revoke(kid: string, by?: Revocation): Promise<boolean>;
  /** Replaces the active key by the next standby now; if that is too early, nothing is done. Returns from when it can be done. */
  replace(): Promise<Date | undefined>;
}

/** Bytes; there are few keys, however long the service runs. */
const CACHE_BYTES = 1024 * 1024;
const BYTES_PER_KEY = 2_000;

/**
 * Opens the service's keys: generates the first ones if there are none, and checks that the master key decrypts
 * the existing ones.
 *
 * @throws MasterKeyError if it does not
 */
export async function openProofKeys(options: ProofKeysOptions): Promise<SigningKeys> {
  const { db, clock, caching, secrets } = options;
  const { seal, rows } = secrets;
  const policy = options.policy ?? DEFAULT_KEY_POLICY;
  const { onRevoked, purpose = 'proofs' } = options;
  const keeping = {
    db,
    clock,
    secrets,
    policy,
    purpose,
    newKey: options.newKey ?? newRsaKey,
    ...(onRevoked === undefined ? {} : { onRevoked }),
  } as const;
  const readKeysNow = () => readSigningKeys(db, rows, purpose);
  await rotateAtStart(keeping);
  const verify = nodeRs256();
  const sha256 = nodeSha256();
  const rotate = async () => {
    const steps = await rotateKeys(keeping);
    if (steps.length > 0) caching?.hub.publish('k:*');
    return steps;
  };
  const cached = caching === undefined ? undefined : cachedKeys(readKeysNow, { ...caching, clock });
  const ring = createKeyRing({
    readKeys: cached?.read ?? readKeysNow,
    readKeysNow,
    areStale: () => cached?.areStale() ?? false,
    rotate,
    openSigner: ({ kid, sealedPrivateKey }) =>
      sealedPrivateKey === undefined ? null : rsaSigner(kid, seal.open(kid, sealedPrivateKey)),
    verify,
    sha256,
    clock,
  });
  return {
    ...ring,
    verify,
    sha256,
    rotate,
    list: readKeysNow,
    async revoke(kid, by) {
      const revoked = await revokeKey(keeping, kid, by);
      caching?.hub.publish(`k:${kid}`);
      await rotate();
      return revoked;
    },
    async replace() {
      const from = await replaceActiveKey(keeping);
      caching?.hub.publish('k:*');
      await rotate();
      return from;
    },
  };
}

/** Caches keys while it is proven that no change was missed. */
export function cachedKeys<K>(
  read: () => Promise<readonly K[]>,
  options: Omit<FreshCacheOptions, 'maxBytes'>,
) {
  let from: AnswerSource | undefined;
  const cache = createFreshCache<readonly K[]>({
    ...options,
    maxBytes: CACHE_BYTES,
    // the same objects, by which others recognise them; told apart by `areStale`
    asStale: (keys) => keys,
    onAnswer: (source) => {
      from = source;
    },
  });
  const load = async () => {
    const keys = await read();
    return { value: keys, tags: ['k:*'] as const, bytes: keys.length * BYTES_PER_KEY };
  };
  return {
    read: () => cache.get('keys', load),
    /** Whether those last returned are from before the database was lost. */
    areStale: () => from === 'stale',
  };
}
