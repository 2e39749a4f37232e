import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';

/** Encrypts secrets in the database, so that a backup of it is not enough to sign. */
export interface Seal {
  /** @param name - what the secret belongs to, such as a kid: opened under no other */
  seal(name: string, secret: Uint8Array): Buffer;
  /** @throws if the master key is another one, or the row was changed or moved to another name */
  open(name: string, sealed: Uint8Array): Buffer;
}

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM under the master key. The name is authenticated as additional data (AAD), so that one row cannot be passed
 * off as another. Layout: format byte 1, nonce (12), ciphertext, tag (16).
 */
export function createSeal(masterKey: Uint8Array): Seal {
  if (masterKey.byteLength !== 32) throw new Error('the master key must be 32 bytes');
  // from bytes, each use would prepare a key again, at several times the cost of a short text
  const key = createSecretKey(masterKey);
  return {
    seal(name, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(name));
      const body = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([Buffer.from([FORMAT]), nonce, body, cipher.getAuthTag()]);
    },
    open(name, sealed) {
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== FORMAT || bytes.byteLength < 1 + NONCE_BYTES + TAG_BYTES) {
        throw new Error(`the sealed secret of ${name} is not in a form that this version reads`);
      }
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(name));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    },
  };
}
