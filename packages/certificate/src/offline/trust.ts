import { jwksUrl } from '../document/addresses.ts';
import { createKeySet, type KeySet } from '../keys/key-set.ts';
import type { VerifyRs256 } from '../keys/rsa-key.ts';
import { type ProofReading, readProof } from '../proof/compact-jws.ts';
import type { Sha256 } from '../proof/members.ts';
import { readSubmittedDocument } from '../verify/submitted-document.ts';
import { CannotVerifyError } from './cannot-verify-error.ts';
import type { Fetch } from './fetch-jwks.ts';
import { createRemoteKeySet, type RemoteKeySet } from './remote-key-set.ts';

/** Which issuers are trusted, and where their keys come from. */
export interface TrustOptions {
  /** Base addresses of the services whose certificates are trusted (values of `iss`); at least one. */
  readonly trustedIssuers: readonly string[];
  /** The keys of these issuers, as a parsed JWKS. If given, no network request is made. */
  readonly jwks?: unknown;
  /** Address of the JWKS of these issuers. Default: for each issuer, the address in spec, Endpoints 5. */
  readonly jwksUrl?: string | undefined;
  /** Default: `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
  /** The signature primitive. Default: WebCrypto. */
  readonly verifyRs256?: VerifyRs256 | undefined;
  /** The digest primitive. Default: WebCrypto. */
  readonly sha256?: Sha256 | undefined;
}

/** Trusted issuers with their keys. Create it once and reuse it: it caches the keys it fetches. */
export interface Trust {
  /** Values of `iss`, without trailing slash. */
  readonly issuers: readonly string[];
  /**
   * Returns the keys that may verify the proof of this document. The document's `iss` only selects among the trusted
   * issuers: the keys of one issuer never verify proofs of another, and no other address is contacted.
   */
  keysFor(
    document: unknown,
    now: Date,
  ): Promise<{ readonly issuers: readonly string[]; readonly keySet: KeySet }>;
}

/** Trusted issuers: either given as options or, for many verifications, created by `createTrust`; never both. */
export type Trusting =
  | ({ readonly trust: Trust } & { readonly [Name in keyof TrustOptions]?: undefined })
  | (TrustOptions & { readonly trust?: undefined });

/**
 * Creates a trust in the issuers that the caller names. Trust comes only from the caller: an address, key or issuer
 * named in a document is never followed.
 *
 * @throws CannotVerifyError `no_trusted_issuer` if no issuer is given, `keys_address_unsafe`, and `keys_unavailable`
 *   for a `jwks` without keys
 * @throws TypeError if `trustedIssuers` is not an array of strings
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
    // an unset setting, split at commas, gives one empty string
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

/** No issuer was contacted: the fault is the untrusted issuer, not an unknown key. */
function emptyKeySet({ verifyRs256, sha256 }: TrustOptions): KeySet {
  return { ...createKeySet({ keys: [] }, verifyRs256, sha256), find: () => 'issuer_untrusted' };
}

function proofOf(document: unknown): ProofReading | null {
  const { jwt } = readSubmittedDocument(document);
  return jwt === null ? null : readProof(jwt);
}

async function keysAt(remote: RemoteKeySet, proof: ProofReading | null, now: Date): Promise<KeySet> {
  // a document without a readable proof needs no key, so garbage input cannot trigger requests
  return proof?.jws ? remote.at(now, proof.jws.kid) : createKeySet({ keys: [] });
}

/** @throws CannotVerifyError `keys_unavailable` for a JWKS without keys, with which every signature would look forged */
function keySetOf(jwks: unknown, { verifyRs256, sha256 }: TrustOptions): KeySet {
  const keys: unknown = (jwks as { keys?: unknown } | null)?.keys;
  if (Array.isArray(keys) && keys.length > 0) return createKeySet(jwks, verifyRs256, sha256);
  throw new CannotVerifyError('keys_unavailable', 'The given jwks contains no keys.');
}
