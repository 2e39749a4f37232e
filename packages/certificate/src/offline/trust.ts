import { createKeySet, jwksUrl, type KeySet } from '../keys/key-set.ts';
import type { VerifyRs256 } from '../keys/rsa-key.ts';
import { type ProofReading, readProof } from '../proof/compact-jws.ts';
import type { Sha256 } from '../proof/members.ts';
import { readSubmittedDocument } from '../verify/submitted-document.ts';
import { CannotVerifyError } from './cannot-verify-error.ts';
import type { Fetch } from './fetch-jwks.ts';
import { mayPredate, olderKeys } from './key-age.ts';
import { createRemoteKeySet, type RemoteKeySet } from './remote-key-set.ts';

/** The keys of one service. They verify proofs of these issuers and of no other. */
export interface IssuerKeys {
  /** Its base address, and those that share its keys only because they are named here, such as former base addresses. */
  readonly issuers: readonly string[];
  /** The keys as a parsed JWKS. If given, no network request is made for them. */
  readonly jwks?: unknown;
  /**
   * When `jwks` was read from its issuer. A proof issued later may be signed with a newer key: if its key is unknown, there is
   * no verdict (`keys_unavailable`). Default: unknown, and an unknown key is a failed check.
   */
  readonly fetchedAt?: Date | undefined;
  /** Address of the JWKS. Default: that of the first of `issuers` (spec, Endpoints 5). */
  readonly jwksUrl?: string | undefined;
}

/** Which issuers are trusted, and where their keys come from. */
export interface TrustOptions {
  /** Base addresses of the services whose certificates are trusted (values of `iss`); at least one. */
  readonly trustedIssuers: readonly string[];
  /** The keys of the only trusted issuer, as a parsed JWKS. If given, no network request is made. */
  readonly jwks?: unknown;
  /** When `jwks` was read, as in `keys`. */
  readonly fetchedAt?: Date | undefined;
  /** Address of the JWKS of the only trusted issuer. */
  readonly jwksUrl?: string | undefined;
  /**
   * The keys of trusted issuers, each set with the issuers that it belongs to. An issuer that is not named here has a set
   * of its own, fetched from its address in spec, Endpoints 5.
   */
  readonly keys?: readonly IssuerKeys[] | undefined;
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
   * Returns the keys that may verify the proof of this document, with the issuers that they belong to. The document's
   * `iss` only selects among the trusted issuers: the keys of one issuer never verify proofs of another, and no other
   * address is contacted.
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
 * named in a document is never followed. A key belongs to the issuers that it was given for.
 *
 * @throws CannotVerifyError `no_trusted_issuer` if no issuer is given, `keys_address_unsafe`, and `keys_unavailable`
 *   for a `jwks` without keys
 * @throws TypeError if `trustedIssuers` is not an array of strings, or if it is not clear whose keys are given
 * @example
 * ```ts
 * import { createTrust } from '@touchstone/certificate';
 * import { createTestIssuer } from '@touchstone/certificate/testing';
 *
 * const { jwks } = await createTestIssuer();
 * const trust = createTrust({
 *   trustedIssuers: ['https://certificates.example/', 'https://old.example', 'https://other.example'],
 *   keys: [{ issuers: ['https://certificates.example', 'https://old.example'], jwks }],
 * });
 * trust.issuers; // ['https://certificates.example', 'https://old.example', 'https://other.example']
 * ```
 */
export function createTrust(options: TrustOptions): Trust {
  const issuers = addressesIn(options.trustedIssuers, 'trustedIssuers');
  if (issuers.length === 0) throw new CannotVerifyError('no_trusted_issuer');
  const sources = keysByIssuer(issuers, options).map((keys) => keySource(keys, options));
  const [only] = sources;
  // nothing to select, so the proof need not be read
  if (sources.length === 1 && only?.keySet !== undefined && only.fetchedAt === undefined) {
    const { keySet } = only;
    return { issuers, keysFor: async () => ({ issuers, keySet }) };
  }
  return {
    issuers,
    async keysFor(document, now) {
      const proof = proofOf(document);
      const claimed = proof?.claims?.iss as string;
      const source = sources.find((one) => one.issuers.includes(claimed));
      if (source === undefined) return { issuers, keySet: emptyKeySet(options) };
      return { issuers: source.issuers, keySet: await keysOf(source, proof, now) };
    },
  };
}

/** The keys of some issuers: given, or fetched. */
type KeySource = { readonly issuers: readonly string[] } & (
  | { readonly keySet: KeySet; readonly fetchedAt?: Date | undefined }
  | { readonly keySet?: undefined; readonly remote: RemoteKeySet }
);

function keySource({ issuers, jwks, fetchedAt, jwksUrl: url }: IssuerKeys, options: TrustOptions): KeySource {
  if (jwks !== undefined) return { issuers, keySet: keySetOf(jwks, issuers, options), fetchedAt };
  return { issuers, remote: createRemoteKeySet(url ?? jwksUrl(issuers[0] as string), options) };
}

/** Every trusted issuer once, with the keys that belong to it. @throws TypeError if that is not clear */
export function keysByIssuer(
  issuers: readonly string[],
  { keys = [], jwks, fetchedAt, jwksUrl: url }: TrustOptions,
): IssuerKeys[] {
  if (jwks !== undefined || url !== undefined) {
    if (issuers.length === 1 && keys.length === 0) return [{ issuers, jwks, fetchedAt, jwksUrl: url }];
    throw new TypeError(
      'jwks and jwksUrl are for one trusted issuer. For several, say whose keys they are: keys: [{ issuers: [address], jwks }].',
    );
  }
  const left = new Set(issuers);
  const named = keys.map((one) => ({ ...one, issuers: addressesIn(one.issuers, 'issuers of keys') }));
  for (const issuer of named.flatMap((one) => one.issuers)) {
    if (!left.delete(issuer))
      throw new TypeError(`keys must name trusted issuers, each of them once: ${issuer}`);
  }
  return [
    ...named.filter((one) => one.issuers.length > 0),
    ...[...left].map((issuer) => ({ issuers: [issuer] })),
  ];
}

/** Each address once, without trailing slashes. */
export function addressesIn(named: unknown, what: string): string[] {
  if (!Array.isArray(named) || named.some((issuer) => typeof issuer !== 'string')) {
    throw new TypeError(`${what} must be an array of addresses, such as ['https://certificates.example'].`);
  }
  const addresses = named.map((issuer: string) => issuer.trim().replace(/\/+$/, ''));
  // an unset setting, split at commas, gives one empty string
  return [...new Set(addresses)].filter((issuer) => issuer !== '');
}

/** No issuer was contacted: the fault is the untrusted issuer, not an unknown key. */
function emptyKeySet({ verifyRs256, sha256 }: TrustOptions): KeySet {
  return { ...createKeySet({ keys: [] }, verifyRs256, sha256), find: () => 'issuer_untrusted' };
}

function proofOf(document: unknown): ProofReading | null {
  const { jwt } = readSubmittedDocument(document);
  return jwt === null ? null : readProof(jwt);
}

async function keysOf(source: KeySource, proof: ProofReading | null, now: Date): Promise<KeySet> {
  const { keySet } = source;
  const kid = proof?.jws?.kid;
  const iat = proof?.claims?.iat;
  if (keySet === undefined) {
    // a document without a readable proof needs no key, so garbage input cannot trigger requests
    return kid === undefined ? createKeySet({ keys: [] }) : source.remote.at(now, kid, iat);
  }
  const readAt = source.fetchedAt?.getTime() ?? Number.NaN;
  if (kid !== undefined && keySet.find(kid) === 'key_unknown' && mayPredate(readAt, now.getTime(), iat)) {
    throw olderKeys(source.issuers.join(', '));
  }
  return keySet;
}

/** @throws CannotVerifyError `keys_unavailable` for a JWKS without keys, with which every signature would look forged */
function keySetOf(jwks: unknown, issuers: readonly string[], { verifyRs256, sha256 }: TrustOptions): KeySet {
  const keys: unknown = (jwks as { keys?: unknown } | null)?.keys;
  if (Array.isArray(keys) && keys.length > 0) return createKeySet(jwks, verifyRs256, sha256);
  throw new CannotVerifyError(
    'keys_unavailable',
    `The given jwks of ${issuers.join(', ')} contains no keys.`,
  );
}
