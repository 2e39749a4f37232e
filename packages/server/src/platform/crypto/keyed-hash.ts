import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/**
 * HMAC-SHA256 under a key of the purpose, so that hashes of different columns cannot be compared.
 *
 * @param purpose - a constant
 */
export type KeyedHash = (purpose: string, value: string | Uint8Array) => Buffer;

export function createKeyedHash(masterKey: Uint8Array): KeyedHash {
  const keys = new Map<string, KeyObject>();
  return (purpose, value) => {
    const key = keys.get(purpose) ?? createSecretKey(deriveKey(masterKey, `hash of ${purpose}`));
    keys.set(purpose, key);
    return createHmac('sha256', key).update(value).digest();
  };
}

/** HKDF-SHA256 (RFC 5869) with the purpose as its info; the master key is uniformly random, so no salt is needed. */
export function deriveKey(masterKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `touchstone ${purpose}`, 32));
}
