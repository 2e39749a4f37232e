import type { Jwks } from './key-set.ts';
import type { RsaPublicJwk } from './rsa-key.ts';

/**
 * The JWKS of these keys: the members of spec "JWKS" and no others, whatever else a key may carry.
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
