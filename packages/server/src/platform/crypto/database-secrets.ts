import { createHmac, hkdfSync } from 'node:crypto';
import { createTrustedRows, type OnRefusedRow, type TrustedRows } from '../database/trusted-rows.ts';
import { createSeal, type Seal } from './seal.ts';

/** What the master key protects in the database. */
export interface DatabaseSecrets {
  /** Encrypts what must be read again. */
  readonly seal: Seal;
  /** Hashes what must only be found again: without the master key, not even a guess can be tested. */
  readonly hash: KeyedHash;
  /** Authenticates the rows that grant trust. */
  readonly rows: TrustedRows;
}

/**
 * HMAC-SHA256 under a key of the purpose, so that hashes of different columns cannot be compared.
 *
 * @param purpose - a constant
 */
export type KeyedHash = (purpose: string, value: string | Uint8Array) => Buffer;

/**
 * @param masterKey - 32 bytes
 * @param onRefused - called for each row that grants trust and whose MAC is not valid
 */
export function createDatabaseSecrets(
  masterKey: Uint8Array,
  onRefused: OnRefusedRow = () => {},
): DatabaseSecrets {
  const keys = new Map<string, Buffer>();
  const hash: KeyedHash = (purpose, value) => {
    const key = keys.get(purpose) ?? deriveKey(masterKey, `hash of ${purpose}`);
    keys.set(purpose, key);
    return createHmac('sha256', key).update(value).digest();
  };
  return {
    seal: createSeal(masterKey),
    hash,
    rows: createTrustedRows(deriveKey(masterKey, 'authentication of rows'), onRefused),
  };
}

/** HKDF-SHA256 (RFC 5869) with the purpose as its info; the master key is uniformly random, so no salt is needed. */
function deriveKey(masterKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `touchstone ${purpose}`, 32));
}
