import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import type { TrustOptions } from '@touchstone/certificate';
import type { RsaPublicJwk } from '@touchstone/certificate/verify';

/** The primitives of Node, which take half as long as WebCrypto's for the thousands of certificates of a feed. */
export function nodePrimitives(): Required<Pick<TrustOptions, 'verifyRs256' | 'sha256'>> {
  const imported = new WeakMap<RsaPublicJwk, KeyObject>();
  return {
    verifyRs256: (jwk, signature, data) => {
      const { n, e } = jwk;
      const key = imported.get(jwk) ?? createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' });
      imported.set(jwk, key);
      return verify('sha256', data, key, signature);
    },
    sha256: (text) => hash('sha256', text, 'base64url'),
  };
}
