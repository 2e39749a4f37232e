import type { Reason } from '../verify/reasons.ts';

/** One RSA public key as published (spec "JWKS"; RFC 7517, RFC 7518 section 6.3). */
export interface RsaPublicJwk {
  readonly kty: 'RSA';
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'RS256';
  /** Modulus, base64url. */
  readonly n: string;
  /** Exponent, base64url. */
  readonly e: string;
}

/** Spec "JWKS". */
export interface Jwks {
  readonly keys: readonly RsaPublicJwk[];
}
