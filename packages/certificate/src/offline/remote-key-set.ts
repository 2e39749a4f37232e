import { createKeySet, type KeySet } from '../keys/key-set.ts';
import type { VerifyRs256 } from '../keys/rsa-key.ts';
import type { Sha256 } from '../proof/members.ts';
import { CannotVerifyError } from './cannot-verify-error.ts';
import { type Fetch, fetchJwks, safeKeysAddress } from './fetch-jwks.ts';

/** Milliseconds for which a request that somebody else began is waited for. */
const JOIN_TIMEOUT_MS = 3000;

/** How keys are fetched and how long they are kept. */
export interface RemoteKeySetOptions {
  /** Default: `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
  /** The signature primitive. Default: WebCrypto. */
  readonly verifyRs256?: VerifyRs256 | undefined;
  /** The digest primitive. Default: WebCrypto. */
  readonly sha256?: Sha256 | undefined;
  /** Seconds between two requests, whatever names of keys proofs may carry. Default: 30. */
  readonly cooldownSeconds?: number | undefined;
  /** Seconds for which keys that are too old are still used while the issuer does not answer. Default: a day. */
  readonly staleIfErrorSeconds?: number | undefined;
}

/** The keys of an issuer, fetched when they are needed and kept. */
export interface RemoteKeySet {
  /**
   * The keys, asked for anew when they are too old or when no key is called `kid`.
   *
   * @throws CannotVerifyError `keys_unavailable` when there are none, or none young enough
   */
  at(now: Date, kid?: string): Promise<KeySet>;
}

interface FetchedKeys {
  readonly keySet: KeySet;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly maxAge: number;
}

/**
 * A key set behind an address, for many verifications: kept for as long as the answer allows (a day at most),
 * asked again for a `kid` that it does not hold, but not more often than the cooldown, by one request at a time;
 * old keys are still used for a while when the issuer does not answer. Holds no clock: `now` comes with each question.
 *
 * @param url - address of a JWKS, that the caller trusts; https, or http on this machine
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
export function createRemoteKeySet(url: string, options: RemoteKeySetOptions = {}): RemoteKeySet {
  const address = safeKeysAddress(url);
  const { fetch = globalThis.fetch, verifyRs256, sha256 } = options;
  const cooldown = (options.cooldownSeconds ?? 30) * 1000;
  const staleIfError = (options.staleIfErrorSeconds ?? 86_400) * 1000;
  let current: FetchedKeys | null = null;
  let lastAsked = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let inFlight: Promise<void> | null = null;

  const fetchKeys = async (since: number): Promise<void> => {
    lastAsked = since;
    try {
      const { jwks, maxAge } = await fetchJwks(address, fetch);
      current = { keySet: createKeySet(jwks, verifyRs256, sha256), since, maxAge: maxAge * 1000 };
      failure = undefined;
    } catch (error) {
      failure = error;
    }
  };

  const fetchOrJoin = async (moment: number): Promise<void> => {
    let others = inFlight;
    while (others !== null) {
      if ((await settlesSoon(others)) || inFlight === null) return;
      // edge runtimes end a request with the visitor it was made for: it may then never settle
      if (inFlight === others) break;
      others = inFlight;
    }
    const own = fetchKeys(moment);
    inFlight = own;
    await own;
    if (inFlight === own) inFlight = null;
  };

  return {
    async at(now, kid) {
      const moment = now.getTime();
      if (!serves(current, moment, kid) && (inFlight !== null || apart(moment, lastAsked) >= cooldown)) {
        await fetchOrJoin(moment);
      }
      if (
        current !== null &&
        (failure === undefined || apart(moment, current.since) < current.maxAge + staleIfError)
      ) {
        return current.keySet;
      }
      throw failure ?? new CannotVerifyError('keys_unavailable', address);
    },
  };
}

function serves(keys: FetchedKeys | null, moment: number, kid: string | undefined): boolean {
  if (keys === null || apart(moment, keys.since) >= keys.maxAge) return false;
  return kid === undefined || keys.keySet.find(kid) !== 'key_unknown';
}

async function settlesSoon(request: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), JOIN_TIMEOUT_MS);
  });
  const isSettled = await Promise.race([request.then(() => true), late]);
  clearTimeout(timer);
  return isSettled;
}

/** In either direction: whoever judges for another day must not hold up the one who judges for today. */
function apart(a: number, b: number): number {
  return Math.abs(a - b);
}
