import { statusListPath } from '@touchstone/contract';

/** Seconds for which a token is valid. */
export const TOKEN_LIFE = 86_400;
/** Seconds after which verifiers look again. */
const TTL = 900;
export const STATUS_LIST_TYP = 'statuslist+jwt';

/** What a token states. */
export interface TokenClaims {
  readonly kid: string;
  readonly listId: number;
  /** Of the service: the issuer of the proofs. */
  readonly baseUrl: string;
  /** Whole seconds. */
  readonly issuedAt: Date;
  readonly revokedKids: readonly string[];
  /** As `compressEntries` returns them. */
  readonly compressed: Uint8Array;
}

/** The address of a list, which is the subject of its token. */
export function statusListUri(baseUrl: string, listId: number): string {
  return `${baseUrl}${statusListPath(listId)}`;
}

/** The bytes to sign: the same from every node (draft-ietf-oauth-status-list-20, section 5.1). */
export function signingInputOf(claims: TokenClaims): string {
  const { kid, listId, baseUrl, issuedAt, revokedKids, compressed } = claims;
  const iat = Math.floor(issuedAt.getTime() / 1000);
  const header = { alg: 'RS256', kid, typ: STATUS_LIST_TYP };
  const payload = {
    sub: statusListUri(baseUrl, listId),
    iat,
    exp: iat + TOKEN_LIFE,
    ttl: TTL,
    status_list: { bits: 2, lst: Buffer.from(compressed).toString('base64url') },
    revoked_kids: revokedKids,
  };
  return [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}

export function tokenOf(claims: TokenClaims, signature: Uint8Array): string {
  return `${signingInputOf(claims)}.${Buffer.from(signature).toString('base64url')}`;
}
