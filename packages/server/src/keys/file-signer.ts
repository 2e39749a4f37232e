import { createPrivateKey, sign as signCallback } from 'node:crypto';
import { promisify } from 'node:util';
import type { Signer } from '@touchstone/certificate/issue';

const signOffThread = promisify(signCallback);

/**
 * A signer over a private key in this process. The signature is made on libuv's thread pool, so that a burst
 * of cold certificates does not hold up the event loop.
 *
 * @param pkcs8 the private key, DER
 * @throws when the bytes are not an RSA key
 */
export function fileSigner(kid: string, pkcs8: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  if (key.asymmetricKeyType !== 'rsa') throw new Error(`the key ${kid} is not an RSA key`);
  return {
    kid,
    async sign(bytes) {
      return new Uint8Array(await signOffThread('sha256', bytes, key));
    },
  };
}
