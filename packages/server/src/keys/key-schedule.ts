import type { RsaPublicJwk } from '@touchstone/certificate';

/** What a key signs: proofs, verified by the JWKS; or our own requests (RFC 9421), verified by the key directory. */
export type KeyPurpose = 'proofs' | 'requests';

/** One key of the service, at whatever point of its life. */
export interface ScheduledKey<Jwk> {
  readonly kid: string;
  readonly publicJwk: Jwk;
  /** Sealed PKCS#8; absent once forgotten, or where the key lives elsewhere. */
  readonly sealedPrivateKey?: Uint8Array;
  readonly publishedAt: Date;
  /** First moment it may sign; absent while it stands by. */
  readonly activeFrom?: Date;
  /** It begins no proof after this. */
  readonly retiredAt?: Date;
  /** A proof begun before `retiredAt` was completed this late. */
  readonly lastUsedAt?: Date;
  readonly revokedAt?: Date;
}

/** A key that signs proofs. */
export type SigningKey = ScheduledKey<RsaPublicJwk>;
/** A key, whatever it signs. */
export type AnyKey = ScheduledKey<unknown>;

const DAY = 86_400_000;

/** A key is in the JWKS this long before it first signs, so that every cached JWKS holds it. */
const PUBLISHED_AHEAD = DAY;
/** A key stays in the JWKS this long after it last signed: an old page is "expired", not "forged". */
const KEPT_AFTER_USE = 400 * DAY;
/** By then every proof that a retired key had begun is past its life, so nothing can ask it to sign. */
const PRIVATE_KEY_KEPT = 8 * DAY;

/** Milliseconds that a key signs before the standby takes over. */
export interface KeyPolicy {
  readonly rotateEvery: number;
}

export const DEFAULT_KEY_POLICY: KeyPolicy = { rotateEvery: 90 * DAY };

/** What brings the keys into order. `create` needs a key pair at hand. */
export type KeyStep =
  /** The very first key: in use at once, since no cached JWKS can lack it. */
  | { readonly step: 'create'; readonly as: 'active' | 'standby' }
  /** The standby takes over, and the key that signed until now (if any) retires. */
  | { readonly step: 'promote'; readonly kid: string; readonly retire?: string }
  | { readonly step: 'forget_private'; readonly kid: string };

const isLive = (key: AnyKey): boolean => key.retiredAt === undefined && key.revokedAt === undefined;

/** The key that begins proofs now. */
export function activeKey<K extends AnyKey>(keys: readonly K[]): K | undefined {
  return keys.find((key) => isLive(key) && key.activeFrom !== undefined);
}

/** The key that will sign next. */
export function standbyKey<K extends AnyKey>(keys: readonly K[]): K | undefined {
  return keys.find((key) => isLive(key) && key.activeFrom === undefined);
}

export function keyState(key: AnyKey): 'standby' | 'active' | 'retired' | 'revoked' {
  if (key.revokedAt !== undefined) return 'revoked';
  if (key.retiredAt !== undefined) return 'retired';
  return key.activeFrom === undefined ? 'standby' : 'active';
}

/** First moment at which a standby may sign. */
export function ripeAt(standby: AnyKey): Date {
  return new Date(standby.publishedAt.getTime() + PUBLISHED_AHEAD);
}

/**
 * Whether the key is shown to others at `now`.
 *
 * @param kept - milliseconds for which it is after its last use
 */
export function isPublished(key: AnyKey, now: Date, kept = KEPT_AFTER_USE): boolean {
  if (key.revokedAt !== undefined) return false;
  if (key.retiredAt === undefined) return true;
  const lastUse = Math.max(key.retiredAt.getTime(), key.lastUsedAt?.getTime() ?? 0);
  return now.getTime() <= lastUse + kept;
}

/** Whether a proof under this key can still be genuine: for good, unless it was revoked. */
export function isTrusted(key: AnyKey): boolean {
  return key.revokedAt === undefined;
}

/**
 * What the keys need at `now`; an empty list when they are in order. Pure, so that every edge of
 * the schedule can be tested, and so that nodes that decide at once decide the same.
 */
export function planKeys(keys: readonly AnyKey[], now: Date, policy: KeyPolicy): KeyStep[] {
  const steps: KeyStep[] = [];
  if (keys.length === 0) {
    return [
      { step: 'create', as: 'active' },
      { step: 'create', as: 'standby' },
    ];
  }
  const active = activeKey(keys);
  const standby = standbyKey(keys);
  const due =
    active?.activeFrom === undefined || now.getTime() >= active.activeFrom.getTime() + policy.rotateEvery;
  const promoted = standby !== undefined && due && now >= ripeAt(standby);
  if (promoted) {
    steps.push({
      step: 'promote',
      kid: standby.kid,
      ...(active === undefined ? {} : { retire: active.kid }),
    });
  }
  if (standby === undefined || promoted) steps.push({ step: 'create', as: 'standby' });
  for (const key of keys) {
    if (key.sealedPrivateKey !== undefined && signsNothingMore(key, now)) {
      steps.push({ step: 'forget_private', kid: key.kid });
    }
  }
  return steps;
}

function signsNothingMore(key: AnyKey, now: Date): boolean {
  if (key.revokedAt !== undefined) return true;
  return key.retiredAt !== undefined && now.getTime() >= key.retiredAt.getTime() + PRIVATE_KEY_KEPT;
}
