import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { RsaPublicJwk, VerifyRs256 } from '@touchstone/certificate';

/**
 * The signature primitive of Node: synchronous, some 25 µs a proof, which is less than handing it to a thread.
 * Each key is imported once.
 */
export function nodeRs256(): VerifyRs256 {
  const imported = new WeakMap<RsaPublicJwk, KeyObject>();
  return (jwk, signature, data) => {
    let key = imported.get(jwk);
    if (key === undefined) {
      key = createPublicKey({ key: { kty: jwk.kty, n: jwk.n, e: jwk.e }, format: 'jwk' });
      imported.set(jwk, key);
    }
    return verify('sha256', data, key, signature);
  };
}
