import { createKeySet, type KeySet } from '../keys/key-set.ts';
import type { VerifyRs256 } from '../keys/rsa-key.ts';
import type { Sha256 } from '../proof/members.ts';
import { CannotVerifyError } from './cannot-verify-error.ts';
import { type Fetch, fetchJwks, safeKeysAddress } from './fetch-jwks.ts';
import { mayPredate, olderKeys } from './key-age.ts';

/** Milliseconds to wait for a request started by another caller. */
const JOIN_TIMEOUT_MS = 3000;

/** How keys are fetched and how long they are cached. */
export interface RemoteKeySetOptions {
  /** Default: `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
  /** The signature primitive. Default: WebCrypto. */
  readonly verifyRs256?: VerifyRs256 | undefined;
  /** The digest primitive. Default: WebCrypto. */
  readonly sha256?: Sha256 | undefined;
  /**
   * Minimum seconds between two requests, and between two for an unknown `kid`, whatever `kid` values proofs carry.
   * Default: 30.
   */
  readonly cooldownSeconds?: number | undefined;
  /** Seconds for which expired keys are still used while the issuer cannot be reached. Default: one day. */
  readonly staleIfErrorSeconds?: number | undefined;
}

/** The keys of an issuer, fetched on demand and cached. */
export interface RemoteKeySet<K extends KeySet = KeySet> {
  /**
   * Returns the keys; fetches them again when they have expired, or past all caches when none has the given `kid`.
   *
   * @param iat - the claim of the proof with this `kid`: the key set is only returned without the key if it is newer
   * @throws CannotVerifyError `keys_unavailable` if there are no keys, only keys past `staleIfErrorSeconds`, or only keys
   *   that may be older than a proof by an unknown key
   */
  at(now: Date, kid?: string, iat?: unknown): Promise<K>;
}

interface FetchedKeys<K> {
  readonly keySet: K;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly maxAge: number;
  /** When the issuer sent them; unknown (0) unless caches were bypassed. */
  readonly sentAt: number;
}

/**
 * Creates a cached key set for the JWKS at `url`, to be shared by many verifications. Keys are cached for the
 * response's `max-age` (at most one day) and fetched again, past HTTP caches, for an unknown `kid`, at most once per
 * cooldown and by one request at a time. If the issuer cannot be reached, expired keys are still used for a limited time.
 * It has no clock: `now` is passed to each call.
 *
 * @param url - address of a JWKS that the caller trusts; https, or http on this machine
 * @param keySetOf - reads what was fetched. Default: `createKeySet`
 * @throws CannotVerifyError `keys_address_unsafe`
 * @example
 * ```ts
 * import { createRemoteKeySet } from '@touchstone/certificate';
 * import { createTestIssuer } from '@touchstone/certificate/testing';
 *
 * const { jwks, kid } = await createTestIssuer();
 * const keys = createRemoteKeySet('https://certificates.example/api/v1/.well-known/jwks.json', {
 *   fetch: async () => Response.json(jwks),
 * });
 * const keySet = await keys.at(new Date(), kid);
 * keySet.find('another'); // 'key_unknown'
 * ```
 */
export function createRemoteKeySet<K extends KeySet = KeySet>(
  url: string,
  options: RemoteKeySetOptions = {},
  keySetOf = (jwks: unknown): K => createKeySet(jwks, options.verifyRs256, options.sha256) as K,
): RemoteKeySet<K> {
  const address = safeKeysAddress(url);
  const { fetch = globalThis.fetch } = options;
  const cooldown = (options.cooldownSeconds ?? 30) * 1000;
  const staleIfError = (options.staleIfErrorSeconds ?? 86_400) * 1000;
  let current: FetchedKeys<K> | null = null;
  /** When it was last asked: with caches, and past them. */
  const lastAsked = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let failure: unknown;
  let inFlight: Promise<void> | null = null;

  const fetchKeys = async (since: number, isPast: boolean): Promise<void> => {
    lastAsked[Number(isPast)] = since;
    try {
      const { jwks, maxAge, age } = await fetchJwks(address, fetch, isPast);
      const sentAt = isPast ? since - age * 1000 : 0;
      current = { keySet: keySetOf(jwks), since, maxAge: maxAge * 1000, sentAt };
      failure = undefined;
    } catch (error) {
      failure = error;
    }
  };

  const fetchOrJoin = async (moment: number, isPast: boolean): Promise<void> => {
    let others = inFlight;
    while (others !== null) {
      if ((await settlesSoon(others)) || inFlight === null) return;
      // edge runtimes abort a request together with the visitor's request that started it: it may then never settle
      if (inFlight === others) break;
      others = inFlight;
    }
    const own = fetchKeys(moment, isPast);
    inFlight = own;
    await own;
    if (inFlight === own) inFlight = null;
  };

  const isUnknown = (kid?: string) => kid !== undefined && current?.keySet.find(kid) === 'key_unknown';
  const ask = async (moment: number, isPast: boolean): Promise<void> => {
    if (inFlight !== null || apart(moment, lastAsked[Number(isPast)] as number) >= cooldown)
      await fetchOrJoin(moment, isPast);
  };

  return {
    async at(now, kid, iat) {
      const moment = now.getTime();
      if (current === null || apart(moment, current.since) >= current.maxAge)
        await ask(moment, isUnknown(kid));
      if (isUnknown(kid)) await ask(moment, true);
      const keys = current;
      if (
        keys === null ||
        (failure !== undefined && apart(moment, keys.since) >= keys.maxAge + staleIfError)
      ) {
        throw failure ?? new CannotVerifyError('keys_unavailable', address);
      }
      if (isUnknown(kid) && mayPredate(keys.sentAt, moment, iat)) throw failure ?? olderKeys(address);
      return keys.keySet;
    },
  };
}

/** Whether a request of another caller ends while it is worth waiting for it. */
export async function settlesSoon(request: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), JOIN_TIMEOUT_MS);
  });
  const isSettled = await Promise.race([request.then(() => true), late]);
  clearTimeout(timer);
  return isSettled;
}

/** Absolute difference: a verification for a later date must not block requests of one for today. */
function apart(a: number, b: number): number {
  return Math.abs(a - b);
}
