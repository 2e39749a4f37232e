import type { FreshCacheOptions } from '../../platform/cache/fresh-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { type Ed25519Alg, type Ed25519PublicJwk, ed25519Signer, newEd25519Key } from './ed25519-keys.ts';
import { activeKey, type KeyPolicy, type KeyStep, type ScheduledKey } from './key-schedule.ts';
import { readKeys, revokeKey, rotateAtStart, rotateKeys } from './key-store.ts';
import { cachedKeys } from './open-proof-keys.ts';
import type { MessageSigner } from './sign-message.ts';

type Ed25519Key<Alg extends Ed25519Alg> = ScheduledKey<Ed25519PublicJwk<Alg>>;

export interface Ed25519KeysOptions<Alg extends Ed25519Alg> {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Pick<DatabaseSecrets, 'seal' | 'rows'>;
  readonly policy: KeyPolicy;
  readonly caching: Pick<FreshCacheOptions, 'hub' | 'freshness'>;
  readonly purpose: 'requests' | 'receipts';
  readonly alg: Alg;
  /** Whether a key is published now. */
  readonly isPublished: (key: Ed25519Key<Alg>, now: Date) => boolean;
}

/** Ed25519 keys of one purpose: generated, sealed, rotated and revoked like those of proofs. */
export interface Ed25519Keys<Alg extends Ed25519Alg> {
  /** @throws ServiceError `signer_unavailable` */
  signer(): Promise<MessageSigner>;
  /** The published keys; each with its signer, unless its private key was deleted. */
  published(): Promise<
    readonly { readonly jwk: Ed25519PublicJwk<Alg>; readonly signer: MessageSigner | undefined }[]
  >;
  rotate(): Promise<KeyStep[]>;
  list(): Promise<readonly Ed25519Key<Alg>[]>;
  revoke(kid: string): Promise<boolean>;
}

/** The keys that sign our own requests. */
export type RequestKeys = Ed25519Keys<'EdDSA'>;
/** The keys that sign receipts. */
export type ReceiptKeys = Ed25519Keys<'Ed25519'>;

/** @throws MasterKeyError if the keys were sealed by another master key */
export async function openEd25519Keys<Alg extends Ed25519Alg>(
  options: Ed25519KeysOptions<Alg>,
): Promise<Ed25519Keys<Alg>> {
  const { db, clock, secrets, caching, policy, purpose, alg, isPublished } = options;
  const { seal, rows } = secrets;
  const keeping = { db, clock, secrets, policy, purpose, newKey: () => newEd25519Key(alg) } as const;
  const readNow = () => readKeys<Ed25519PublicJwk<Alg>>(db, rows, purpose);
  await rotateAtStart(keeping);
  const rotate = async () => {
    const steps = await rotateKeys(keeping);
    if (steps.length > 0) caching.hub.publish('k:*');
    return steps;
  };
  const { read } = cachedKeys(readNow, { ...caching, clock });
  const signers = new Map<string, MessageSigner>();
  const signerOf = ({ kid, sealedPrivateKey }: Ed25519Key<Alg>): MessageSigner | undefined => {
    if (sealedPrivateKey === undefined) return undefined;
    const signer = signers.get(kid) ?? ed25519Signer(kid, seal.open(kid, sealedPrivateKey));
    signers.set(kid, signer);
    return signer;
  };
  return {
    async signer() {
      const active = activeKey(await read()) ?? activeKey(await readNow());
      const signer = active && signerOf(active);
      if (signer === undefined) throw new ServiceError('signer_unavailable', { retryAfter: 5 });
      return signer;
    },
    async published() {
      const shown = (await read()).filter((key) => isPublished(key, clock()));
      return shown.map((key) => ({ jwk: key.publicJwk, signer: signerOf(key) }));
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
