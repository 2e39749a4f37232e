import { SelfVerificationError, type Signer } from '../issue/sign.ts';
import type { KeySet } from '../keys/key-set.ts';
import { encodeBase64url } from '../proof/base64url.ts';
import { deflate } from './deflate.ts';
import { readStatusList } from './read-status-list.ts';
import { STATUS_LIST_BYTES, STATUS_LIST_LIFETIME, STATUS_LIST_TTL, STATUS_LIST_TYP } from './status-list.ts';

/** A status list to be signed. */
export interface StatusListContent {
  /** Its address (`statusListUri`). */
  readonly uri: string;
  /** Fractions of a second are dropped. */
  readonly issuedAt: Date;
  /** The compressed list (`encodeStatusList`). */
  readonly compressed: Uint8Array;
  /** Keys of proofs that were revoked within the lifetime of a proof and the skew of clocks. */
  readonly revokedKids: readonly string[];
}

/**
 * Compresses a list as it is published: a zlib stream.
 *
 * @param entries - `STATUS_LIST_BYTES` bytes (`setEntry`)
 * @throws RangeError for another size
 * @example
 * ```ts
 * import { encodeStatusList, STATUS_LIST_BYTES } from '@touchstone/certificate/withdrawal';
 *
 * const compressed = await encodeStatusList(new Uint8Array(STATUS_LIST_BYTES));
 * compressed.length < 300; // true
 * ```
 */
export async function encodeStatusList(entries: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (entries.length !== STATUS_LIST_BYTES)
    throw new RangeError(`a status list has ${STATUS_LIST_BYTES} bytes, not ${entries.length}`);
  return deflate(entries);
}

/**
 * Signs a status list with a key for lists, and reads the result before returning it.
 *
 * @param keySet - the public keys of status lists as a verifier would have them
 * @returns the list as a compact JWS
 * @throws SelfVerificationError if it cannot be read; also whatever the signer throws
 * @example
 * ```ts
 * import { createKeySet } from '@touchstone/certificate';
 * import { jwksOf } from '@touchstone/certificate/issue';
 * import { encodeStatusList, STATUS_LIST_BYTES, signStatusList, statusListUri } from '@touchstone/certificate/withdrawal';
 *
 * const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
 * const shape = { ...RS256, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
 * const { privateKey, publicKey } = await crypto.subtle.generateKey(shape, true, ['sign', 'verify']);
 * const { n = '', e = '' } = await crypto.subtle.exportKey('jwk', publicKey);
 * const keySet = createKeySet(jwksOf([{ kty: 'RSA', kid: 'lists-1', use: 'sig', alg: 'RS256', n, e }]));
 * const signer = {
 *   kid: 'lists-1',
 *   sign: async (data: Uint8Array<ArrayBuffer>) =>
 *     new Uint8Array(await crypto.subtle.sign(RS256.name, privateKey, data)),
 * };
 * const compressed = await encodeStatusList(new Uint8Array(STATUS_LIST_BYTES));
 * const content = { uri: statusListUri('https://certificates.example', 7), issuedAt: new Date(), compressed, revokedKids: [] };
 * const token = await signStatusList(content, signer, keySet);
 * token.split('.').length; // 3
 * ```
 */
export async function signStatusList(
  content: StatusListContent,
  signer: Signer,
  keySet: KeySet,
): Promise<string> {
  const { uri, issuedAt } = content;
  const header = { alg: 'RS256', kid: signer.kid, typ: STATUS_LIST_TYP };
  const signingInput = `${encodedJson(header)}.${encodedJson(statusListClaims(content))}`;
  const signature = await signer.sign(new TextEncoder().encode(signingInput));
  const token = `${signingInput}.${encodeBase64url(signature)}`;
  const list = await readStatusList(token, { keySet, uri, now: issuedAt });
  if (typeof list === 'string') throw new SelfVerificationError(list);
  return token;
}

/** The claims of a list. */
export function statusListClaims({ uri, issuedAt, compressed, revokedKids }: StatusListContent) {
  const iat = Math.floor(issuedAt.getTime() / 1000);
  return {
    sub: uri,
    iat,
    exp: iat + STATUS_LIST_LIFETIME,
    ttl: STATUS_LIST_TTL,
    status_list: { bits: 2, lst: encodeBase64url(compressed) },
    revoked_kids: [...new Set(revokedKids)].toSorted(),
  };
}

function encodedJson(value: object): string {
  return encodeBase64url(new TextEncoder().encode(JSON.stringify(value)));
}
