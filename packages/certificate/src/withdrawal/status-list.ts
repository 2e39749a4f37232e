/** Entries of every list: 2 bits for each of 2^20 proofs (draft-ietf-oauth-status-list-20, section 4). */
export const STATUS_LIST_SIZE = 1_048_576;

/** Bytes of a list before compression. */
export const STATUS_LIST_BYTES = STATUS_LIST_SIZE / 4;

/** The values of an entry (section 7 of the draft); 3 is not defined. */
export const STATUS_VALUES = { valid: 0, invalid: 1, suspended: 2 } as const;

/** The JWS header `typ` of a status list. */
export const STATUS_LIST_TYP = 'statuslist+jwt';

/** A list expires this many seconds after it was issued. */
export const STATUS_LIST_LIFETIME = 86_400;

/** Seconds for which a list is reused. */
export const STATUS_LIST_TTL = 900;

/** Path of a list below the base address of the service. */
const LISTS = '/api/v1/mc4p/status/';

/** The highest number of a list; the lowest is 1. */
const MAX_LIST = 2_147_483_647;

/**
 * Address of a list.
 *
 * @param issuer - base address of the service, without trailing slash: `iss` of the proofs
 * @param list - 1 to 2,147,483,647
 * @example
 * ```ts
 * import { statusListUri } from '@touchstone/certificate/withdrawal';
 *
 * statusListUri('https://certificates.example', 7); // 'https://certificates.example/api/v1/mc4p/status/7'
 * ```
 */
export function statusListUri(issuer: string, list: number): string {
  return `${issuer}${LISTS}${list}`;
}

/**
 * Whether an address is one of a list of this issuer, written exactly as `statusListUri` does.
 *
 * @example
 * ```ts
 * import { isStatusListUri, statusListUri } from '@touchstone/certificate/withdrawal';
 *
 * const issuer = 'https://certificates.example';
 * isStatusListUri(statusListUri(issuer, 7), issuer); // true
 * isStatusListUri(statusListUri('https://other.example', 7), issuer); // false
 * ```
 */
export function isStatusListUri(uri: string, issuer: string): boolean {
  if (!uri.startsWith(issuer + LISTS)) return false;
  const list = uri.slice(issuer.length + LISTS.length);
  return /^[1-9]\d{0,9}$/.test(list) && Number(list) <= MAX_LIST;
}

/**
 * Address of the public keys of an issuer's lists, which are never those of its proofs.
 *
 * @example
 * ```ts
 * import { statusListJwksUrl } from '@touchstone/certificate/withdrawal';
 *
 * const issuer = 'https://certificates.example';
 * statusListJwksUrl(issuer); // 'https://certificates.example/api/v1/.well-known/status-list-jwks.json'
 * ```
 */
export function statusListJwksUrl(issuer: string): string {
  return `${issuer}/api/v1/.well-known/status-list-jwks.json`;
}

/**
 * Reads an entry of a list.
 *
 * @param entries - the list before compression; the first entry is in the lowest bits of the first byte
 * @param bits - of an entry: 1, 2, 4 or 8. Default: 2, as in every list of ours
 * @example
 * ```ts
 * import { entryAt } from '@touchstone/certificate/withdrawal';
 *
 * entryAt(new Uint8Array([0b10_01_00_00]), 3); // 2
 * ```
 */
export function entryAt(entries: Uint8Array, index: number, bits: 1 | 2 | 4 | 8 = 2): number {
  const perByte = 8 / bits;
  const byte = entries[Math.floor(index / perByte)] ?? 0;
  return (byte >> ((index % perByte) * bits)) & (2 ** bits - 1);
}

/**
 * Changes an entry of a list in place.
 *
 * @param entries - the list before compression, `STATUS_LIST_BYTES` long
 * @param value - of `STATUS_VALUES`
 * @throws RangeError for an index that the list does not have
 * @example
 * ```ts
 * import { entryAt, STATUS_LIST_BYTES, STATUS_VALUES, setEntry } from '@touchstone/certificate/withdrawal';
 *
 * const entries = new Uint8Array(STATUS_LIST_BYTES);
 * setEntry(entries, 159_495, STATUS_VALUES.invalid);
 * entryAt(entries, 159_495); // 1
 * ```
 */
export function setEntry(entries: Uint8Array, index: number, value: number): void {
  if (!Number.isInteger(index) || index < 0 || index >= entries.length * 4)
    throw new RangeError(`a status list of ${entries.length * 4} entries has no entry ${index}`);
  const at = index >> 2;
  const shift = (index & 3) * 2;
  entries[at] = ((entries[at] as number) & ~(3 << shift)) | (value << shift);
}
