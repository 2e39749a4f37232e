import type { KeySet } from '../keys/key-set.ts';
import { decodeBase64url } from '../proof/base64url.ts';
import { readHeader } from '../proof/proof-header.ts';
import { isObject, parseStrictObject } from '../proof/strict-json.ts';
import type { WithdrawalReason } from '../verify/withdrawal-reasons.ts';
import { inflate } from './deflate.ts';
import { STATUS_LIST_BYTES, STATUS_LIST_LIFETIME, STATUS_LIST_TTL, STATUS_LIST_TYP } from './status-list.ts';

/** Why a list cannot be used: those of `WITHDRAWAL_REASONS` that are about the list. */
export type StatusListFault = Extract<
  WithdrawalReason,
  | 'status_list_expired'
  | 'status_list_not_yet_valid'
  | 'status_list_malformed'
  | 'status_list_too_large'
  | 'status_list_type_wrong'
  | 'status_list_subject_differs'
  | 'status_list_signature_invalid'
  | 'status_list_key_unknown'
>;

/** A status list whose signature is valid. Times are seconds since 1970. */
export interface StatusList {
  /** Its address. */
  readonly uri: string;
  readonly issuedAt: number;
  /** A day after its issue at the latest. */
  readonly expiresAt: number;
  /** Seconds for which it is reused, 60 to 86,400. */
  readonly ttl: number;
  /** Keys whose proofs are withdrawn, wherever they are listed. */
  readonly revokedKids: ReadonlySet<string>;
  /** The list before compression (`entryAt`). */
  readonly entries: Uint8Array;
}

/** Seconds by which clocks may differ. */
const SKEW = 60;

/** Characters of a token: a list that cannot be compressed, encoded twice, with room for the rest. Also bounds what is inflated. */
export const MAX_STATUS_LIST_TOKEN = 700_000;

const MIN_TTL = 60;
const MAX_TTL = 86_400;

/** What a list is checked against. */
export interface ReadStatusListOptions {
  /** The keys of the issuer's status lists, never those of its proofs. */
  readonly keySet: KeySet;
  /** Address of the required list. */
  readonly uri: string;
  readonly now: Date;
}

/**
 * Reads a status list of ours (draft-ietf-oauth-status-list-20): a compact JWS by a key for lists, for this address, within its lifetime, of
 * 2^20 entries of 2 bits. Never throws for any token, and never inflates more than a list has.
 *
 * @returns the list, or the first fault
 * @throws only what the signature primitive of `keySet` throws if it cannot work at all
 * @example
 * ```ts
 * import { createKeySet } from '@touchstone/certificate';
 * import { readStatusList } from '@touchstone/certificate/withdrawal';
 *
 * const uri = 'https://certificates.example/api/v1/mc4p/status/7';
 * await readStatusList('no list', { keySet: createKeySet({ keys: [] }), uri, now: new Date() }); // 'status_list_malformed'
 * ```
 */
export async function readStatusList(
  token: unknown,
  { keySet, uri, now }: ReadStatusListOptions,
): Promise<StatusList | StatusListFault> {
  if (typeof token !== 'string') return 'status_list_malformed';
  if (token.length > MAX_STATUS_LIST_TOKEN) return 'status_list_too_large';
  const parts = token.split('.', 4);
  const [header, payload, signature] = parts.map(decodeBase64url);
  if (parts.length !== 3 || !header || !payload || !signature) return 'status_list_malformed';
  const { fault, kid, typ } = readHeader(header);
  if (fault !== 'ok') return 'status_list_malformed';
  if (typ !== STATUS_LIST_TYP) return 'status_list_type_wrong';
  const key = keySet.find(kid as string);
  if (typeof key === 'string') return 'status_list_key_unknown';
  const signed = new TextEncoder().encode(token.slice(0, token.lastIndexOf('.')));
  if (!(await keySet.verify(key, signature, signed))) return 'status_list_signature_invalid';
  const claims = claimsOf(payload);
  if (claims === null) return 'status_list_malformed';
  if (claims.uri !== uri) return 'status_list_subject_differs';
  const untimely = timeFault(claims, now);
  if (untimely !== null) return untimely;
  const { compressed, ...list } = claims;
  const entries = await inflate(compressed, STATUS_LIST_BYTES);
  if (typeof entries === 'string') return `status_list_${entries}`;
  return { ...list, entries };
}

/** What a token says of itself, unverified: to choose among key sets, and nothing else. */
export function unverifiedList(token: string): {
  readonly kid?: string;
  readonly iat?: unknown;
  readonly sub?: unknown;
} {
  if (token.length > MAX_STATUS_LIST_TOKEN) return {};
  const [header, payload] = token.split('.', 2).map(decodeBase64url);
  const { fault, kid } = header ? readHeader(header) : { fault: 'proof_malformed', kid: undefined };
  const claims = payload && parseStrictObject(payload);
  if (fault !== 'ok') return {};
  return { kid: kid as string, iat: claims?.iat, sub: claims?.sub };
}

/** Why a list does not count at this time, if so. */
export function timeFault(
  { issuedAt, expiresAt }: Pick<StatusList, 'issuedAt' | 'expiresAt'>,
  now: Date,
): 'status_list_expired' | 'status_list_not_yet_valid' | null {
  const seconds = Math.floor(now.getTime() / 1000);
  if (issuedAt > seconds + SKEW) return 'status_list_not_yet_valid';
  return expiresAt <= seconds - SKEW ? 'status_list_expired' : null;
}

interface ListClaims extends Omit<StatusList, 'entries'> {
  readonly compressed: Uint8Array<ArrayBuffer>;
}

function claimsOf(payload: Uint8Array): ListClaims | null {
  const claims = parseStrictObject(payload);
  if (claims === null) return null;
  const { sub, iat, exp, ttl = STATUS_LIST_TTL, status_list: list, revoked_kids: kids = [] } = claims;
  if (typeof sub !== 'string' || !isCount(iat) || !isCount(exp) || !isCount(ttl) || exp <= iat) return null;
  if (!isObject(list) || list.bits !== 2 || typeof list.lst !== 'string') return null;
  if (!Array.isArray(kids) || kids.some((kid) => typeof kid !== 'string')) return null;
  const compressed = decodeBase64url(list.lst);
  return (
    compressed && {
      uri: sub,
      issuedAt: iat,
      // whoever had a key for a moment must not make a list that counts for years
      expiresAt: Math.min(exp, iat + STATUS_LIST_LIFETIME),
      ttl: Math.min(Math.max(ttl, MIN_TTL), MAX_TTL),
      revokedKids: new Set<string>(kids),
      compressed,
    }
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
