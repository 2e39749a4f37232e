import type { RsaPublicJwk } from '@touchstone/certificate';

/**
 * The purpose of a key: proofs, verified by the JWKS; our own requests (RFC 9421), verified by the key directory; status lists and
 * receipts, each verified by a key set of their own; the transparency log, verified by its policy; or attestations, verified by the
 * profile of UCP.
 */
export type KeyPurpose =
  | 'proofs'
  | 'requests'
  | 'status_lists'
  | 'transparency_log'
  | 'receipts'
  | 'attestations';

/** A key of the service, in any state. */
export interface ScheduledKey<Jwk> {
  readonly kid: string;
  readonly publicJwk: Jwk;
  /** Sealed PKCS#8; absent once it is deleted, or if the key is held elsewhere (KMS). */
  readonly sealedPrivateKey?: Uint8Array;
  readonly publishedAt: Date;
  /** From when it may sign; absent for a standby key. */
  readonly activeFrom?: Date;
  /** It begins no proofs after this time. */
  readonly retiredAt?: Date;
  /** When the last proof begun before `retiredAt` was completed. */
  readonly lastUsedAt?: Date;
  readonly revokedAt?: Date;
}

/** A key that signs proofs. */
export type SigningKey = ScheduledKey<RsaPublicJwk>;
/** A key with its purpose. */
export type AnyKey = ScheduledKey<unknown>;

const DAY = 86_400_000;

/**
 * Milliseconds for which a key is in the JWKS before it is scheduled to sign, so that every cached JWKS contains it. If no key is
 * active, the next signs at once: verifiers fetch the JWKS again, past caches, for a key that they do not know.
 */
const PUBLISHED_AHEAD = DAY;
/** Number of standby keys: after two revocations in a row, the key that signs is still one that was published before. */
const STANDBYS = 2;
/** Milliseconds for which a key stays in the JWKS after it last signed, so that an old page is "expired", not "forged". */
const KEPT_AFTER_USE = 400 * DAY;
/** Milliseconds after which all proofs that a retired key had begun have expired, so that it need not sign again. */
const PRIVATE_KEY_KEPT = 8 * DAY;

export interface KeyPolicy {
  /** Milliseconds for which a key signs before a standby replaces it. */
  readonly rotateEvery: number;
  /** Keys that are ready to replace it at least. Default: two. */
  readonly standbys?: number;
}

export const DEFAULT_KEY_POLICY: KeyPolicy = { rotateEvery: 90 * DAY };

/** A step of the key rotation. `create` needs a new key pair. */
export type KeyStep =
  /** Only a key without any predecessor that may sign is active at once: the first, or after all others were revoked. */
  | { readonly step: 'create'; readonly as: 'active' | 'standby' }
  /** The oldest standby becomes active, and the active key (if any) retires. */
  | { readonly step: 'promote'; readonly kid: string; readonly retire?: string }
  | { readonly step: 'forget_private'; readonly kid: string };

const isLive = (key: AnyKey): boolean => key.retiredAt === undefined && key.revokedAt === undefined;

/** The key that begins proofs now. */
export function activeKey<K extends AnyKey>(keys: readonly K[]): K | undefined {
  return keys.find((key) => isLive(key) && key.activeFrom !== undefined);
}

/** The keys that will sign next, in this order: the one published first has reached most verifiers. */
export function standbyKeys<K extends AnyKey>(keys: readonly K[]): K[] {
  return keys
    .filter((key) => isLive(key) && key.activeFrom === undefined)
    .toSorted((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime());
}

export function keyState(key: AnyKey): 'standby' | 'active' | 'retired' | 'revoked' {
  if (key.revokedAt !== undefined) return 'revoked';
  if (key.retiredAt !== undefined) return 'retired';
  return key.activeFrom === undefined ? 'standby' : 'active';
}

/** From when a standby key may replace an active one. */
export function ripeAt(standby: AnyKey): Date {
  return new Date(standby.publishedAt.getTime() + PUBLISHED_AHEAD);
}

/**
 * Whether the key is published at `now`.
 *
 * @param kept - milliseconds for which it is published after its last use
 */
export function isPublished(key: AnyKey, now: Date, kept = KEPT_AFTER_USE): boolean {
  if (key.revokedAt !== undefined) return false;
  if (key.retiredAt === undefined) return true;
  const lastUse = Math.max(key.retiredAt.getTime(), key.lastUsedAt?.getTime() ?? 0);
  return now.getTime() <= lastUse + kept;
}

/** Whether proofs by this key can be genuine: always, unless it was revoked. */
export function isTrusted(key: AnyKey): boolean {
  return key.revokedAt === undefined;
}

/**
 * What the keys need at `now`; an empty list when they are in order. Pure, so that every edge of
 * the schedule can be tested, and so that nodes that decide at once decide the same.
 */
export function planKeys(keys: readonly AnyKey[], now: Date, policy: KeyPolicy): KeyStep[] {
  const steps: KeyStep[] = [];
  const active = activeKey(keys);
  const standbys = standbyKeys(keys);
  const [next] = standbys;
  if (next === undefined) {
    if (active === undefined) steps.push({ step: 'create', as: 'active' });
  } else if (active === undefined || (isDue(active, now, policy) && now >= ripeAt(next))) {
    steps.push(promotion(next, active));
  }
  const left = standbys.length - (steps.some(({ step }) => step === 'promote') ? 1 : 0);
  for (let missing = Math.max(STANDBYS, policy.standbys ?? 0) - left; missing > 0; missing -= 1)
    steps.push({ step: 'create', as: 'standby' });
  for (const key of keys) {
    if (key.sealedPrivateKey !== undefined && signsNothingMore(key, now)) {
      steps.push({ step: 'forget_private', kid: key.kid });
    }
  }
  return steps;
}

/** The step by which `next` replaces the active key, if there is one. */
export function promotion(next: AnyKey, active: AnyKey | undefined): Extract<KeyStep, { step: 'promote' }> {
  return { step: 'promote', kid: next.kid, ...(active === undefined ? {} : { retire: active.kid }) };
}

function isDue({ activeFrom }: AnyKey, now: Date, { rotateEvery }: KeyPolicy): boolean {
  return activeFrom === undefined || now.getTime() >= activeFrom.getTime() + rotateEvery;
}

function signsNothingMore(key: AnyKey, now: Date): boolean {
  if (key.revokedAt !== undefined) return true;
  return key.retiredAt !== undefined && now.getTime() >= key.retiredAt.getTime() + PRIVATE_KEY_KEPT;
}
