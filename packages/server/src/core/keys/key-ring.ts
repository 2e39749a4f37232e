import { createKeySet, type Jwks, type KeySet, type VerifyRs256 } from '@touchstone/certificate';
import { jwksOf, type Sha256, type Signer } from '@touchstone/certificate/issue';
import { andThen } from '../../platform/and-then.ts';
import { createBatcher } from '../../platform/batcher.ts';
import type { Clock } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/errors.ts';
import { activeKey, isPublished, isTrusted, type SigningKey } from './key-schedule.ts';

/** The service's signing keys, as its use cases need them. */
export interface KeyRing {
  /**
   * The signer for new proofs.
   *
   * @param fresh - read the database, after the cached keys turned out to be outdated
   * @throws ServiceError `signer_unavailable`
   */
  signer(fresh?: boolean): Promise<Signer>;
  /** The signer for completing a proof begun with this key; `null` if the key may no longer sign, or cannot. */
  signerOf(kid: string): Promise<Signer | null>;
  /** This key alone, for verifying what its signer signed; `null` when it is unknown or revoked. */
  verifierOf(kid: string): Promise<KeySet | null>;
  /** The JWKS as it is published now; the same object while nothing has changed. */
  published(): Jwks | Promise<Jwks>;
  /** Every public key except revoked ones: an old proof is expired, not forged. */
  trusted(): KeySet | Promise<KeySet>;
  /** The revoked keys: what one of them has signed is withdrawn, not forged. */
  revoked(): Promise<KeySet>;
  /**
   * The same as `trusted`, read from the database after this call. Another node may have created a key a moment ago, so a key is only unknown
   * by these. Concurrent calls share a read.
   */
  trustedNow(): Promise<KeySet>;
  /** Whether the keys last returned are from before the database was lost, so that a revocation may have been missed. */
  areStale(): boolean;
}

export interface KeyRingOptions {
  /** All keys; may come from the cache while it is proven that no change was missed. */
  readonly readKeys: () => readonly SigningKey[] | Promise<readonly SigningKey[]>;
  /** All keys, read from the database now. */
  readonly readKeysNow: () => Promise<readonly SigningKey[]>;
  readonly areStale: () => boolean;
  /** Creates, promotes and retires keys as scheduled; called when none may sign. */
  readonly rotate: () => Promise<unknown>;
  /**
   * The signer of a key: the private key from the database here, a KMS or HSM elsewhere. `null` when the private key is
   * permanently gone; throws when it is temporarily unavailable.
   */
  readonly openSigner: (key: SigningKey) => Signer | null;
  readonly verify: VerifyRs256;
  readonly sha256: Sha256;
  readonly clock: Clock;
}

export function createKeyRing(options: KeyRingOptions): KeyRing {
  const signers = new Map<string, Signer>();
  const keySets = new WeakMap<readonly SigningKey[], KeySet>();
  const verifiers = new WeakMap<SigningKey, KeySet>();

  let shown: { readonly keys: readonly SigningKey[]; readonly jwks: Jwks } | undefined;

  const publishedAmong = (all: readonly SigningKey[]): Jwks => {
    const now = options.clock();
    const keys = all.filter((key) => isPublished(key, now));
    if (shown?.keys.length !== keys.length || shown.keys.some((key, index) => key !== keys[index])) {
      shown = { keys, jwks: jwksOf(keys.map((key) => key.publicJwk)) };
    }
    return shown.jwks;
  };

  const trustedAmong = (keys: readonly SigningKey[]): KeySet => {
    const known = keySets.get(keys);
    if (known !== undefined) return known;
    const jwks = jwksOf(keys.filter(isTrusted).map((key) => key.publicJwk));
    const keySet = createKeySet(jwks, options.verify, options.sha256);
    keySets.set(keys, keySet);
    return keySet;
  };

  const readTrustedNow = createBatcher<void, KeySet>({
    run: async (calls) => {
      const keys = trustedAmong(await options.readKeysNow());
      return calls.map(() => keys);
    },
    maxItems: Number.POSITIVE_INFINITY,
    maxRunning: 1,
  });

  const openSignerOf = (key: SigningKey): Signer | null => {
    const known = signers.get(key.kid);
    if (known !== undefined) return known;
    try {
      const signer = options.openSigner(key);
      if (signer !== null) signers.set(key.kid, signer);
      return signer;
    } catch (cause) {
      throw new ServiceError('signer_unavailable', { cause, retryAfter: 5 });
    }
  };

  // a key that another node has just created may not be cached here yet
  const find = async (kid: string): Promise<SigningKey | undefined> => {
    const isIt = (key: SigningKey) => key.kid === kid;
    return (await options.readKeys()).find(isIt) ?? (await options.readKeysNow()).find(isIt);
  };

  const signerAmong = (keys: readonly SigningKey[]): Signer | null => {
    const active = activeKey(keys);
    return active === undefined ? null : openSignerOf(active);
  };

  return {
    async signer(fresh = false) {
      const known = fresh ? null : signerAmong(await options.readKeys());
      if (known !== null) return known;
      const present = signerAmong(await options.readKeysNow());
      if (present !== null) return present;
      await options.rotate();
      const promoted = signerAmong(await options.readKeysNow());
      if (promoted === null) throw new ServiceError('signer_unavailable', { retryAfter: 5 });
      return promoted;
    },
    async signerOf(kid) {
      const key = await find(kid);
      if (key !== undefined && isTrusted(key)) return openSignerOf(key);
      signers.delete(kid);
      return null;
    },
    async verifierOf(kid) {
      const key = await find(kid);
      if (key === undefined || !isTrusted(key)) return null;
      const known = verifiers.get(key);
      if (known !== undefined) return known;
      const keySet = createKeySet({ keys: [key.publicJwk] }, options.verify, options.sha256);
      verifiers.set(key, keySet);
      return keySet;
    },
    published: () => andThen(options.readKeys(), publishedAmong),
    trusted: () => andThen(options.readKeys(), trustedAmong),
    async revoked() {
      const keys = (await options.readKeys()).filter((key) => !isTrusted(key));
      return createKeySet(jwksOf(keys.map((key) => key.publicJwk)), options.verify, options.sha256);
    },
    trustedNow: () => readTrustedNow(),
    areStale: options.areStale,
  };
}
