import type { FreshCacheOptions } from '../../platform/cache/fresh-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { type Ed25519PublicJwk, ed25519Signer, newEd25519Key } from './ed25519-keys.ts';
import {
  activeKey,
  DEFAULT_KEY_POLICY,
  isPublished,
  type KeyPolicy,
  type KeyStep,
  type ScheduledKey,
} from './key-schedule.ts';
import { readKeys, revokeKey, rotateAtStart, rotateKeys } from './key-store.ts';
import { cachedKeys } from './open-proof-keys.ts';
import type { MessageSigner } from './sign-message.ts';

export type RequestKey = ScheduledKey<Ed25519PublicJwk>;

export interface RequestKeysOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Pick<DatabaseSecrets, 'seal' | 'rows'>;
  readonly policy?: KeyPolicy;
  readonly caching: Pick<FreshCacheOptions, 'hub' | 'freshness'>;
}

/** The keys that sign our own requests: generated, sealed, rotated and revoked like those of proofs. */
export interface RequestKeys {
  /** @throws ServiceError `signer_unavailable` */
  signer(): Promise<MessageSigner>;
  /** The published keys, each with its signer, which proves possession of the key in the key directory. */
  published(): Promise<readonly { readonly jwk: Ed25519PublicJwk; readonly signer: MessageSigner }[]>;
  rotate(): Promise<KeyStep[]>;
  list(): Promise<readonly RequestKey[]>;
  revoke(kid: string): Promise<boolean>;
}

/** Milliseconds for which a retired key is published: signatures are valid for minutes, copies of the directory for an hour. */
const SHOWN_AFTER_USE = 86_400_000;

/** @throws MasterKeyError if the keys were sealed by another master key */
export async function openRequestKeys(options: RequestKeysOptions): Promise<RequestKeys> {
  const { db, clock, secrets, caching, policy = DEFAULT_KEY_POLICY } = options;
  const { seal, rows } = secrets;
  const keeping = { db, clock, secrets, policy, purpose: 'requests', newKey: newEd25519Key } as const;
  const readNow = () => readKeys<Ed25519PublicJwk>(db, rows, 'requests');
  await rotateAtStart(keeping);
  const rotate = async () => {
    const steps = await rotateKeys(keeping);
    if (steps.length > 0) caching.hub.publish('k:*');
    return steps;
  };
  const { read } = cachedKeys(readNow, { ...caching, clock });
  const signers = new Map<string, MessageSigner>();
  const signerOf = ({ kid, sealedPrivateKey }: RequestKey): MessageSigner[] => {
    if (sealedPrivateKey === undefined) return [];
    const signer = signers.get(kid) ?? ed25519Signer(kid, seal.open(kid, sealedPrivateKey));
    signers.set(kid, signer);
    return [signer];
  };
  return {
    async signer() {
      const active = activeKey(await read()) ?? activeKey(await readNow());
      const [signer] = active === undefined ? [] : signerOf(active);
      if (signer === undefined) throw new ServiceError('signer_unavailable', { retryAfter: 5 });
      return signer;
    },
    async published() {
      const shown = (await read()).filter((key) => isPublished(key, clock(), SHOWN_AFTER_USE));
      return shown.flatMap((key) => signerOf(key).map((signer) => ({ jwk: key.publicJwk, signer })));
    },
    rotate,
    list: readNow,
    async revoke(kid) {
      const revoked = await revokeKey(keeping, kid);
      caching.hub.publish('k:*');
      await rotate();
      return revoked;
    },
  };
}
