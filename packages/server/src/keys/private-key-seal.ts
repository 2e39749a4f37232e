import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Keeps private keys unreadable in the database (decision 22). */
export interface PrivateKeySeal {
  seal(kid: string, pkcs8: Uint8Array): Buffer;
  /** @throws when the master key is another one, or the row was changed or moved to another kid */
  open(kid: string, sealed: Uint8Array): Buffer;
}

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM under the master key. The kid is authenticated beside the key (AAD), so a row cannot be passed
 * off as another. Layout: format byte 1, nonce (12), ciphertext, tag (16).
 */
export function privateKeySeal(masterKey: Uint8Array): PrivateKeySeal {
  if (masterKey.byteLength !== 32) throw new Error('the master key must be 32 bytes');
  return {
    seal(kid, pkcs8) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', masterKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(kid));
      const body = Buffer.concat([cipher.update(pkcs8), cipher.final()]);
      return Buffer.concat([Buffer.from([FORMAT]), nonce, body, cipher.getAuthTag()]);
    },
    open(kid, sealed) {
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== FORMAT || bytes.byteLength < 1 + NONCE_BYTES + TAG_BYTES) {
        throw new Error(`the private key of ${kid} is not in a form that this version reads`);
      }
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', masterKey, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(kid));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    },
  };
}
