import { encodeLeaf, LEAF_SALT_BYTES, type ProofLeaf, saltedHash } from '@touchstone/certificate/log';
import type { UnpublishedProof } from '../../core/certificates/proof-log.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { sha256 } from './sha256.ts';

/** A leaf that has no place in the log yet. */
export interface NewLeaf {
  /** SHA-256 of the compact JWS. */
  readonly proof: Uint8Array;
  /** UTC, of its time of issue. */
  readonly year: number;
  readonly merchantId: string;
  readonly subjectId: string;
  readonly domainKey: string;
  /** As it is logged. */
  readonly leaf: string;
}

interface ReadClaims {
  readonly domain: string;
  readonly iat: number;
  readonly exp: number;
  readonly productId: string;
  readonly assetId?: string;
  readonly imageId?: string;
}

/** @param hidesDomain - whether the merchant has its domain hashed */
export function leafOf(
  { merchantId, kind, jwt }: UnpublishedProof,
  secrets: Pick<DatabaseSecrets, 'hash'>,
  hidesDomain: boolean,
): NewLeaf {
  const [header, claims] = jwt.split('.', 2).map(jsonOf) as [{ readonly kid: string }, ReadClaims];
  const { domain, iat, exp, productId, assetId, imageId } = claims;
  const subjectId = { product: productId, asset: assetId, image: imageId }[kind];
  if (subjectId === undefined) throw new TypeError(`a proof of a ${kind} without its id`);
  const proof = sha256(jwt);
  const salt = saltOf(secrets, proof);
  const hashed = (name: ProofLeaf['kind'] | 'domain', value: string) =>
    Buffer.from(saltedHash(salt, name, value, sha256)).toString('base64url');
  const bytes = encodeLeaf({
    kind,
    ...(hidesDomain ? { domainHash: hashed('domain', domain) } : { domain }),
    iat,
    exp,
    kid: header.kid,
    proof: Buffer.from(proof).toString('base64url'),
    subject: hashed(kind, subjectId),
  });
  return {
    proof,
    year: yearOf(iat),
    merchantId,
    subjectId,
    domainKey: domainKey(domain),
    leaf: Buffer.from(bytes).toString('utf8'),
  };
}

/** @param seconds - since 1970 */
export const yearOf = (seconds: number): number => new Date(seconds * 1000).getUTCFullYear();

/** The salt of a proof's leaf: derived, so that nobody needs to keep it, and secret until it is opened to whoever proves the host. */
export function saltOf({ hash }: Pick<DatabaseSecrets, 'hash'>, proof: Uint8Array): Uint8Array {
  return new Uint8Array(hash('log salt', proof).subarray(0, LEAF_SALT_BYTES));
}

/** The labels of a host in reverse order, a dot after each: those of its subdomains begin with it. */
export function domainKey(host: string): string {
  return host
    .split('.')
    .toReversed()
    .map((label) => `${label}.`)
    .join('');
}

const jsonOf = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
