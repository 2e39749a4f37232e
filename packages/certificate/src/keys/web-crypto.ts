import { encodeBase64url } from '../proof/base64url.ts';
import type { Sha256 } from '../proof/members.ts';
import type { RsaPublicJwk, VerifyRs256 } from './rsa-key.ts';

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

/**
 * The signature primitive for any JavaScript runtime (W3C Web Cryptography); imports each key once.
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

/**
 * The digest primitive for any JavaScript runtime (W3C Web Cryptography).
 *
 * @example
 * ```ts
 * import { webCryptoSha256 } from '@touchstone/certificate';
 *
 * await webCryptoSha256()(''); // '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'
 * ```
 */
export function webCryptoSha256(): Sha256 {
  const utf8 = new TextEncoder();
  return async (text) => {
    const digest = await crypto.subtle.digest('SHA-256', utf8.encode(text));
    return encodeBase64url(new Uint8Array(digest));
  };
}
