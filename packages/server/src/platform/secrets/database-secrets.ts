import { createKeyedHash, deriveKey, type KeyedHash } from '../crypto/keyed-hash.ts';
import { createSeal, type Seal } from '../crypto/seal.ts';
import { createTrustedRows, type OnRefusedRow, type TrustedRows } from '../database/trusted-rows.ts';

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
 * @param masterKey - 32 bytes
 * @param onRefused - called for each row that grants trust and whose MAC is not valid
 */
export function createDatabaseSecrets(
  masterKey: Uint8Array,
  onRefused: OnRefusedRow = () => {},
): DatabaseSecrets {
  return {
    seal: createSeal(masterKey),
    hash: createKeyedHash(masterKey),
    rows: createTrustedRows(deriveKey(masterKey, 'authentication of rows'), onRefused),
  };
}
