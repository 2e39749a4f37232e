import type { FreshCacheOptions } from '../../platform/cache/fresh-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { type Ed25519PublicJwk, ed25519Signer, newEd25519Key } from './ed25519-keys.ts';
import { activeKey, isTrusted, type KeyStep, type ScheduledKey, standbyKeys } from './key-schedule.ts';
import { readKeys, revokeKey, rotateAtStart, rotateKeys } from './key-store.ts';

export type LogKey = ScheduledKey<Ed25519PublicJwk>;

export interface LogKeysOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Pick<DatabaseSecrets, 'seal' | 'rows'>;
  readonly caching: Pick<FreshCacheOptions, 'hub'>;
}

/**
 * The keys of the transparency log. Each signs one log and no other, for as long as the log grows: keys are never replaced by the calendar.
 */
export interface LogKeys {
  /** All keys, with revoked ones, oldest first. */
  list(): Promise<readonly LogKey[]>;
  /** Keys that may be given to a new log, in this order. */
  unrevoked(): Promise<readonly LogKey[]>;
  /** Signs bytes (Ed25519); `null` if there is no such key, or it was revoked. */
  signerOf(kid: string): Promise<((bytes: Uint8Array) => Uint8Array<ArrayBuffer>) | null>;
  /** Creates keys for logs to come, so that at least so many are ready. */
  rotate(ready?: number): Promise<KeyStep[]>;
  revoke(kid: string): Promise<boolean>;
}

/** @throws MasterKeyError if the keys were sealed by another master key */
export async function openLogKeys({ db, clock, secrets, caching }: LogKeysOptions): Promise<LogKeys> {
  const { seal, rows } = secrets;
  const policy = { rotateEvery: Number.POSITIVE_INFINITY };
  const keeping = { db, clock, secrets, policy, purpose: 'transparency_log', newKey: newEd25519Key } as const;
  const list = () => readKeys<Ed25519PublicJwk>(db, rows, 'transparency_log');
  await rotateAtStart(keeping);
  // each log keeps its key, which stays among those that are ready
  const rotate = (ready?: number) =>
    rotateKeys(ready === undefined ? keeping : { ...keeping, policy: { ...policy, standbys: ready } });
  return {
    list,
    async unrevoked() {
      const keys = await list();
      const active = activeKey(keys);
      return [...(active === undefined ? [] : [active]), ...standbyKeys(keys)];
    },
    async signerOf(kid) {
      const key = (await list()).find((one) => one.kid === kid);
      if (key?.sealedPrivateKey === undefined || !isTrusted(key)) return null;
      const signer = ed25519Signer(kid, seal.open(kid, key.sealedPrivateKey));
      return (bytes) => new Uint8Array(signer.sign(bytes));
    },
    rotate,
    async revoke(kid) {
      const revoked = await revokeKey(keeping, kid);
      caching.hub.publish('k:*');
      await rotate();
      return revoked;
    },
  };
}
