import type { Sha256 } from '../proof/members.ts';
import { headersOf, type ProofHeader } from '../proof/proof-header.ts';
import { isSuitableRsaKey, type RsaPublicJwk, type VerifyRs256 } from './rsa-key.ts';
import { webCryptoRs256, webCryptoSha256 } from './web-crypto.ts';

/** Spec "JWKS". */
export interface Jwks {
  readonly keys: readonly RsaPublicJwk[];
}

/** Why there is no usable key; each is a `Reason` of the checks. */
export type KeyFault = 'key_unknown' | 'key_ambiguous' | 'key_unsuitable' | 'issuer_untrusted';

/** The public keys of one service, with the primitives to check proofs. */
export interface KeySet {
  /** The key with this ID, or why there is no usable one. */
  find(kid: string): RsaPublicJwk | KeyFault;
  /** The signature primitive that the keys are used with. */
  readonly verify: VerifyRs256;
  /** The digest primitive, for the members that proofs bind. */
  readonly sha256: Sha256;
  /** Precomputed proof headers for these keys, by their base64url. A performance optimisation only. */
  readonly headers?: ReadonlyMap<string, ProofHeader>;
}

/**
 * Creates a key set from a JWKS. Accepts untrusted input: entries without a `kid` are ignored; `find` reports other
 * unusable keys.
 *
 * @param jwks - a parsed JWKS (spec "JWKS discovery")
 * @param verify - the signature primitive; default: WebCrypto
 * @param sha256 - the digest primitive; default: WebCrypto
 * @example
 * ```ts
 * import { createKeySet } from '@touchstone/certificate/verify';
 *
 * const keySet = createKeySet({ keys: [] });
 * keySet.find('some-kid'); // 'key_unknown'
 * ```
 */
export function createKeySet(
  jwks: unknown,
  verify: VerifyRs256 = webCryptoRs256(),
  sha256: Sha256 = webCryptoSha256(),
): KeySet {
  const byKid = new Map<string, RsaPublicJwk | KeyFault>();
  const headers = new Map<string, ProofHeader>();
  for (const jwk of keysOf(jwks)) {
    const kid = jwk.kid;
    if (typeof kid !== 'string') continue;
    if (byKid.has(kid)) byKid.set(kid, 'key_ambiguous');
    else byKid.set(kid, isSuitableRsaKey(jwk) ? jwk : 'key_unsuitable');
    for (const [text, header] of headersOf(kid)) headers.set(text, header);
  }
  return { find: (kid) => byKid.get(kid) ?? 'key_unknown', verify, sha256, headers };
}

/**
 * Creates the JWKS of these keys, with only the members of spec "JWKS"; other members of the keys are dropped.
 *
 * @example
 * ```ts
 * import { jwksOf } from '@touchstone/certificate/issue';
 *
 * jwksOf([]); // { keys: [] }
 * ```
 */
export function jwksOf(keys: readonly RsaPublicJwk[]): Jwks {
  return {
    keys: keys.map(({ kid, n, e }) => ({ kty: 'RSA', kid, use: 'sig', alg: 'RS256', n, e })),
  };
}

/** Address of the JWKS (spec, Endpoints 5). */
export function jwksUrl(baseUrl: string): string {
  return `${baseUrl}/api/v1/.well-known/jwks.json`;
}

function keysOf(jwks: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof jwks !== 'object' || jwks === null) return [];
  const keys: unknown = (jwks as Record<string, unknown>).keys;
  if (!Array.isArray(keys)) return [];
  return keys.filter((key): key is Record<string, unknown> => typeof key === 'object' && key !== null);
}
