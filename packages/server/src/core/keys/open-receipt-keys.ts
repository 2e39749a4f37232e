import type { FreshCacheOptions } from '../../platform/cache/fresh-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { type Ed25519PublicJwk, ed25519Signer, newEd25519Key } from './ed25519-keys.ts';
import { activeKey, isTrusted, type KeyPolicy, type KeyStep, type ScheduledKey } from './key-schedule.ts';
import { readKeys, revokeKey, rotateAtStart, rotateKeys } from './key-store.ts';
import { cachedKeys } from './open-proof-keys.ts';
import type { MessageSigner } from './sign-message.ts';

export type ReceiptJwk = Ed25519PublicJwk<'Ed25519'>;
type ReceiptKey = ScheduledKey<ReceiptJwk>;

export interface ReceiptKeysOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Pick<DatabaseSecrets, 'seal' | 'rows'>;
  readonly policy: KeyPolicy;
  readonly caching: Pick<FreshCacheOptions, 'hub' | 'freshness'>;
}

/** The keys that sign receipts: generated, sealed, rotated and revoked like those of proofs. */
export interface ReceiptKeys {
  /** @throws ServiceError `signer_unavailable` */
  signer(): Promise<MessageSigner>;
  /** Every key that was not revoked, however long ago it signed: receipts do not expire. */
  published(): Promise<readonly ReceiptJwk[]>;
  rotate(): Promise<KeyStep[]>;
  list(): Promise<readonly ReceiptKey[]>;
  revoke(kid: string): Promise<boolean>;
}

/** @throws MasterKeyError if the keys were sealed by another master key */
export async function openReceiptKeys(options: ReceiptKeysOptions): Promise<ReceiptKeys> {
  const { db, clock, secrets, caching, policy } = options;
  const { seal, rows } = secrets;
  const purpose = 'receipts';
  const keeping = { db, clock, secrets, policy, purpose, newKey: () => newEd25519Key('Ed25519') } as const;
  const readNow = () => readKeys<ReceiptJwk>(db, rows, purpose);
  await rotateAtStart(keeping);
  const rotate = async () => {
    const steps = await rotateKeys(keeping);
    if (steps.length > 0) caching.hub.publish('k:*');
    return steps;
  };
  const { read } = cachedKeys(readNow, { ...caching, clock });
  const signers = new Map<string, MessageSigner>();
  const signerOf = ({ kid, sealedPrivateKey }: ReceiptKey): MessageSigner | undefined => {
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
    published: async () => (await read()).filter(isTrusted).map((key) => key.publicJwk),
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
