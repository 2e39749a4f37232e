import { createKeySet, type Jwks, type KeySet, type VerifyRs256 } from '@touchstone/certificate';
import { jwksOf, type Sha256, type Signer } from '@touchstone/certificate/issue';
import type { Clock } from '../platform/clock.ts';
import { ServiceError } from '../platform/errors.ts';
import { activeKey, isPublished, isTrusted, ripeAt, type SigningKey, standbyKey } from './key-schedule.ts';

/** The service's keys as its use cases need them. */
export interface KeyRing {
  /**
   * Begins proofs now.
   *
   * @param fresh ask the database, when what was known proved outdated
   * @throws ServiceError `signer_unavailable`
   */
  signer(fresh?: boolean): Promise<Signer>;
  /** Completes a proof begun under this key; `null` when the key may not or cannot sign any more. */
  signerOf(kid: string): Promise<Signer | null>;
  /** The key alone, for checking what its signer made; `null` when it is unknown or revoked. */
  verifierOf(kid: string): Promise<KeySet | null>;
  /** What the JWKS shows now. */
  published(): Promise<Jwks>;
  /** The same, where the keys are in memory; the same object while nothing changed. */
  publishedAtHand(): Jwks | undefined;
  /** Every public key but the revoked: a proof of long ago is expired, not forged. */
  trusted(): Promise<KeySet>;
  /** The same, where the keys are in memory. */
  trustedAtHand(): KeySet | undefined;
}

export interface KeyRingOptions {
  /** All keys; may be a copy in memory while it is proven that no change was missed. */
  readonly readKeys: () => Promise<readonly SigningKey[]>;
  /** That copy, where there is one. */
  readonly keysAtHand: () => readonly SigningKey[] | undefined;
  /** All keys as the database has them at this moment. */
  readonly readKeysNow: () => Promise<readonly SigningKey[]>;
  /** Brings the keys into order; called when none may sign. */
  readonly rotate: () => Promise<unknown>;
  /**
   * The signer over a key: one of a file here, of a KMS or HSM elsewhere. `null` when its private half is gone
   * for good; throws when it cannot be had at the moment.
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

  const signerOver = (key: SigningKey): Signer | null => {
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

  // a key that another node made a moment ago may not be known here yet
  const find = async (kid: string): Promise<SigningKey | undefined> => {
    const isIt = (key: SigningKey) => key.kid === kid;
    return (await options.readKeys()).find(isIt) ?? (await options.readKeysNow()).find(isIt);
  };

  const signerAmong = (keys: readonly SigningKey[]): Signer | null => {
    const active = activeKey(keys);
    return active === undefined ? null : signerOver(active);
  };

  return {
    async signer(fresh = false) {
      const known = fresh ? null : signerAmong(await options.readKeys());
      if (known !== null) return known;
      const present = signerAmong(await options.readKeysNow());
      if (present !== null) return present;
      await options.rotate();
      const keys = await options.readKeysNow();
      const promoted = signerAmong(keys);
      if (promoted === null) throw nobodySigns(keys, options.clock());
      return promoted;
    },
    async signerOf(kid) {
      const key = await find(kid);
      if (key !== undefined && isTrusted(key)) return signerOver(key);
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
    async published() {
      return publishedAmong(await options.readKeys());
    },
    publishedAtHand() {
      const keys = options.keysAtHand();
      return keys === undefined ? undefined : publishedAmong(keys);
    },
    async trusted() {
      return trustedAmong(await options.readKeys());
    },
    trustedAtHand() {
      const keys = options.keysAtHand();
      return keys === undefined ? undefined : trustedAmong(keys);
    },
  };
}

function nobodySigns(keys: readonly SigningKey[], now: Date): ServiceError {
  const standby = standbyKey(keys);
  if (standby === undefined || ripeAt(standby) <= now) {
    return new ServiceError('signer_unavailable', { retryAfter: 5 });
  }
  const wait = Math.ceil((ripeAt(standby).getTime() - now.getTime()) / 1000);
  return new ServiceError('signer_unavailable', {
    message: `No proof can be signed before ${ripeAt(standby).toISOString()}: the next key is not yet known everywhere.`,
    retryAfter: wait,
  });
}
