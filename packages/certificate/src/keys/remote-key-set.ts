import { CannotVerifyError } from '../offline/cannot-verify-error.ts';
import { type Fetch, fetchJwks, safeKeysAddress } from './fetch-jwks.ts';
import { createKeySet, type KeySet, type VerifyRs256 } from './key-set.ts';

/** Milliseconds that a request of somebody else is waited for. */
const PATIENCE_MS = 3000;

export interface RemoteKeySetOptions {
  /** The platform's own unless told. */
  readonly fetch?: Fetch | undefined;
  /** The signature primitive; WebCrypto unless told. */
  readonly verifyRs256?: VerifyRs256 | undefined;
  /** Seconds between two requests, whatever names of keys proofs may carry; 30 unless told. */
  readonly cooldownSeconds?: number | undefined;
  /** Seconds for which keys that are too old serve on while the issuer does not answer; a day unless told. */
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

interface Held {
  readonly keySet: KeySet;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly maxAge: number;
}

/**
 * A key set behind an address, for many verifications: kept for as long as the answer allows (a day at most),
 * asked again for a `kid` that it does not hold, but not more often than the cooldown, by one request at a time;
 * old keys serve on for a while when the issuer does not answer. Holds no clock: `now` comes with each question.
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
  const { fetch = globalThis.fetch, verifyRs256 } = options;
  const cooldown = (options.cooldownSeconds ?? 30) * 1000;
  const staleIfError = (options.staleIfErrorSeconds ?? 86_400) * 1000;
  let held: Held | null = null;
  let lastAsked = Number.NEGATIVE_INFINITY;
  let trouble: unknown;
  let underWay: Promise<void> | null = null;

  const ask = async (since: number): Promise<void> => {
    lastAsked = since;
    try {
      const { jwks, maxAge } = await fetchJwks(address, fetch);
      held = { keySet: createKeySet(jwks, verifyRs256), since, maxAge: maxAge * 1000 };
      trouble = undefined;
    } catch (error) {
      trouble = error;
    }
  };

  const askOrJoin = async (moment: number): Promise<void> => {
    let others = underWay;
    while (others !== null) {
      if ((await settlesSoon(others)) || underWay === null) return;
      // edge runtimes cut off whoever has been answered: what he waited for may then never come
      if (underWay === others) break;
      others = underWay;
    }
    const own = ask(moment);
    underWay = own;
    await own;
    if (underWay === own) underWay = null;
  };

  return {
    async at(now, kid) {
      const moment = now.getTime();
      if (!serves(held, moment, kid) && (underWay !== null || apart(moment, lastAsked) >= cooldown)) {
        await askOrJoin(moment);
      }
      if (
        held !== null &&
        (trouble === undefined || apart(moment, held.since) < held.maxAge + staleIfError)
      ) {
        return held.keySet;
      }
      throw trouble ?? new CannotVerifyError('keys_unavailable', address);
    },
  };
}

function serves(held: Held | null, moment: number, kid: string | undefined): boolean {
  if (held === null || apart(moment, held.since) >= held.maxAge) return false;
  return kid === undefined || held.keySet.find(kid) !== 'key_unknown';
}

async function settlesSoon(request: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  const isSettled = await Promise.race([request.then(() => true), late]);
  clearTimeout(timer);
  return isSettled;
}

/** In either direction: whoever judges for another day must not hold up the one who judges for today. */
function apart(a: number, b: number): number {
  return Math.abs(a - b);
}
