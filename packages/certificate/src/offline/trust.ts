import { jwksUrl } from '../document/addresses.ts';
import { createKeySet, type KeySet } from '../keys/key-set.ts';
import type { VerifyRs256 } from '../keys/rsa-key.ts';
import { type ProofReading, readProof } from '../proof/compact-jws.ts';
import type { Sha256 } from '../proof/members.ts';
import { readSubmittedDocument } from '../verify/submitted-document.ts';
import { CannotVerifyError } from './cannot-verify-error.ts';
import type { Fetch } from './fetch-jwks.ts';
import { createRemoteKeySet, type RemoteKeySet } from './remote-key-set.ts';

/** Whom to trust, and where their keys come from. */
export interface TrustOptions {
  /** Base addresses of the services whose certificates are trusted (values of `iss`); at least one. */
  readonly trustedIssuers: readonly string[];
  /** The keys of these issuers, as parsed JSON of a JWKS; then no network is asked. */
  readonly jwks?: unknown;
  /** Where the keys of these issuers are; by default the address of spec, Endpoints 5, of each issuer. */
  readonly jwksUrl?: string | undefined;
  /** Default: `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
  /** The signature primitive. Default: WebCrypto. */
  readonly verifyRs256?: VerifyRs256 | undefined;
  /** The digest primitive. Default: WebCrypto. */
  readonly sha256?: Sha256 | undefined;
}

/** Whom the caller trusts, with their keys. Make one and keep it: it holds the keys that it has fetched. */
export interface Trust {
  /** Values of `iss`, without trailing slash. */
  readonly issuers: readonly string[];
  /**
   * The keys that may vouch for the proof of this document. Its own `iss` only selects among the trusted issuers:
   * the keys of one never speak for another, and nobody else is asked for any.
   */
  keysFor(
    document: unknown,
    now: Date,
  ): Promise<{ readonly issuers: readonly string[]; readonly keySet: KeySet }>;
}

/** Whom to trust, as options or, for many verifications, as made by `createTrust`: one of the two, never both. */
export type Trusting =
  | ({ readonly trust: Trust } & { readonly [Name in keyof TrustOptions]?: undefined })
  | (TrustOptions & { readonly trust?: undefined });

/**
 * Makes a trust of the issuers that the caller names. Trust comes from the caller alone: no address, key or issuer of a
 * document is ever followed.
 *
 * @throws CannotVerifyError `no_trusted_issuer` when nobody is named, `keys_address_unsafe`, and
 *   `keys_unavailable` for a `jwks` without keys
 * @throws TypeError for `trustedIssuers` that are no array of texts
 * @example
 * ```ts
 * import { createTrust } from '@touchstone/certificate';
 *
 * const trust = createTrust({ trustedIssuers: ['https://certificates.example/'] });
 * trust.issuers; // ['https://certificates.example']
 * ```
 */
export function createTrust(options: TrustOptions): Trust {
  const named: unknown = options.trustedIssuers;
  if (!Array.isArray(named) || named.some((issuer) => typeof issuer !== 'string')) {
    throw new TypeError(
      "trustedIssuers must be an array of addresses, such as ['https://certificates.example'].",
    );
  }
  const issuers = options.trustedIssuers
    .map((issuer) => issuer.trim().replace(/\/+$/, ''))
    // what an unset setting comes to when it is split at commas: nobody
    .filter((issuer) => issuer !== '');
  if (issuers.length === 0) throw new CannotVerifyError('no_trusted_issuer');
  const { jwks } = options;
  if (jwks !== undefined) {
    const keySet = keySetOf(jwks, options);
    return { issuers, keysFor: async () => ({ issuers, keySet }) };
  }
  if (options.jwksUrl !== undefined) {
    const remote = createRemoteKeySet(options.jwksUrl, options);
    return {
      issuers,
      keysFor: async (document, now) => ({ issuers, keySet: await keysAt(remote, proofOf(document), now) }),
    };
  }
  const remotes = new Map(
    issuers.map((issuer) => [issuer, createRemoteKeySet(jwksUrl(issuer), options)] as const),
  );
  return {
    issuers,
    async keysFor(document, now) {
      const proof = proofOf(document);
      const claimed = proof?.claims?.iss;
      const remote = typeof claimed === 'string' ? remotes.get(claimed) : undefined;
      if (remote === undefined) return { issuers, keySet: emptyKeySet(options) };
      return { issuers: [claimed as string], keySet: await keysAt(remote, proof, now) };
    },
  };
}

/** Nobody was asked: it is the issuer that is not trusted, not its keys that are unknown. */
function emptyKeySet({ verifyRs256, sha256 }: TrustOptions): KeySet {
  return { ...createKeySet({ keys: [] }, verifyRs256, sha256), find: () => 'issuer_untrusted' };
}

function proofOf(document: unknown): ProofReading | null {
  const { jwt } = readSubmittedDocument(document);
  return jwt === null ? null : readProof(jwt);
}

async function keysAt(remote: RemoteKeySet, proof: ProofReading | null, now: Date): Promise<KeySet> {
  // what has no readable proof needs no key, so that nobody makes us ask by sending garbage
  return proof?.jws ? remote.at(now, proof.jws.kid) : createKeySet({ keys: [] });
}

/** Without any key every signature would look forged, where in truth nothing is known. */
function keySetOf(jwks: unknown, { verifyRs256, sha256 }: TrustOptions): KeySet {
  const keys: unknown = (jwks as { keys?: unknown } | null)?.keys;
  if (Array.isArray(keys) && keys.length > 0) return createKeySet(jwks, verifyRs256, sha256);
  throw new CannotVerifyError('keys_unavailable', 'The jwks given holds no keys.');
}
