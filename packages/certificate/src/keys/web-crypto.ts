import type { RsaPublicJwk, VerifyRs256 } from './rsa-key.ts';

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

/**
 * The signature primitive of any JavaScript runtime (W3C Web Cryptography); imports each key once.
 *
 * @example
 * ```ts
 * import { createKeySet, webCryptoRs256 } from '@touchstone/certificate';
 *
 * const keySet = createKeySet({ keys: [] }, webCryptoRs256());
 * keySet.find('some-kid'); // 'key_unknown'
 * ```
 */
export function webCryptoRs256(): VerifyRs256 {
  const imported = new WeakMap<RsaPublicJwk, Promise<CryptoKey>>();
  return async (jwk, signature, data) => {
    let key = imported.get(jwk);
    if (key === undefined) {
      const { n, e } = jwk;
      key = crypto.subtle.importKey('jwk', { kty: 'RSA', n, e }, RS256, false, ['verify']);
      imported.set(jwk, key);
    }
    return crypto.subtle.verify(RS256.name, await key, signature, data);
  };
}
