import type { FreshCacheOptions } from '../../platform/cache/fresh-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import type { Ed25519PublicJwk } from './ed25519-keys.ts';
import type { Es256PublicJwk } from './es256-keys.ts';
import { activeKey, type KeyPolicy, type KeyStep, type ScheduledKey } from './key-schedule.ts';
import { type NewKey, readKeys, revokeKey, rotateAtStart, rotateKeys } from './key-store.ts';
import { cachedKeys } from './open-proof-keys.ts';
import type { MessageSigner } from './sign-message.ts';

type AnyJwk = { readonly kid: string };

export interface CurveKeysOptions<Jwk extends AnyJwk> {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Pick<DatabaseSecrets, 'seal' | 'rows'>;
  readonly policy: KeyPolicy;
  readonly caching: Pick<FreshCacheOptions, 'hub' | 'freshness'>;
  readonly purpose: 'requests' | 'receipts' | 'attestations';
  readonly newKey: () => Promise<NewKey<Jwk>>;
  /** @param pkcs8 the private key, DER */
  readonly signerOf: (kid: string, pkcs8: Uint8Array) => MessageSigner;
  /** Whether a key is published now. */
  readonly isPublished: (key: ScheduledKey<Jwk>, now: Date) => boolean;
}

/** Keys on an elliptic curve, of one purpose: generated, sealed, rotated and revoked like those of proofs. */
export interface CurveKeys<Jwk extends AnyJwk> {
  /** @throws ServiceError `signer_unavailable` */
  signer(): Promise<MessageSigner>;
  /** The published keys; each with its signer, unless its private key was deleted. */
  published(): Promise<readonly { readonly jwk: Jwk; readonly signer: MessageSigner | undefined }[]>;
  rotate(): Promise<KeyStep[]>;
  list(): Promise<readonly ScheduledKey<Jwk>[]>;
  revoke(kid: string): Promise<boolean>;
}

/** The keys that sign our own requests. */
export type RequestKeys = CurveKeys<Ed25519PublicJwk>;
/** The keys that sign receipts. */
export type ReceiptKeys = CurveKeys<Ed25519PublicJwk<'Ed25519'>>;
/** The keys that sign statements for others: what was concluded about a page or an item. */
export type AttestationKeys = CurveKeys<Es256PublicJwk>;

/** @throws MasterKeyError if the keys were sealed by another master key */
export async function openCurveKeys<Jwk extends AnyJwk>(
  options: CurveKeysOptions<Jwk>,
): Promise<CurveKeys<Jwk>> {
  const { db, clock, secrets, caching, policy, purpose, newKey, isPublished } = options;
  const { seal, rows } = secrets;
  const keeping = { db, clock, secrets, policy, purpose, newKey } as const;
  const readNow = () => readKeys<Jwk>(db, rows, purpose);
  await rotateAtStart(keeping);
  const rotate = async () => {
    const steps = await rotateKeys(keeping);
    if (steps.length > 0) caching.hub.publish('k:*');
    return steps;
  };
  const { read } = cachedKeys(readNow, { ...caching, clock });
  const signers = new Map<string, MessageSigner>();
  const signerOf = ({ kid, sealedPrivateKey }: ScheduledKey<Jwk>): MessageSigner | undefined => {
    if (sealedPrivateKey === undefined) return undefined;
    const signer = signers.get(kid) ?? options.signerOf(kid, seal.open(kid, sealedPrivateKey));
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
