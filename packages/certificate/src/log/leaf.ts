import { decodeBase64url } from '../proof/base64url.ts';
import { canonicalJson } from '../proof/canonical-json.ts';
import type { ProofKind } from '../proof/proof-rules.ts';
import { parseStrictObject } from '../proof/strict-json.ts';
import { concatBytes, HASH_BYTES } from './bytes.ts';

/** The largest leaf, in bytes. */
export const MAX_LEAF_BYTES = 1024;

/** Bytes of the salt of a leaf. */
export const LEAF_SALT_BYTES = 16;

/** What the log says about a proof. Hashes are base64url of 32 bytes; times are seconds since 1970. */
export interface ProofLeaf {
  readonly kind: ProofKind;
  /** The host that the proof was issued for; or, if the merchant hides it, `domainHash`. */
  readonly domain?: string;
  /** `saltedHash(salt, 'domain', host)`. */
  readonly domainHash?: string;
  readonly iat: number;
  readonly exp: number;
  /** The key that signed the proof. */
  readonly kid: string;
  /** SHA-256 of the proof, that is, of the compact JWS. */
  readonly proof: string;
  /** `saltedHash(salt, kind, id)`, of the product or image. */
  readonly subject: string;
}

const KINDS: readonly string[] = ['product', 'asset', 'image'] satisfies ProofKind[];

/**
 * The entry of the log for a proof: canonical JSON (RFC 8785) in UTF-8.
 *
 * @throws TypeError for what `parseLeaf` would not read, such as a leaf that is too large
 * @example
 * ```ts
 * import { encodeLeaf, parseLeaf } from '@touchstone/certificate/log';
 *
 * const hash = 'A'.repeat(43);
 * const leaf = { kind: 'product', domain: 'shop.example', iat: 1, exp: 2, kid: 'k', proof: hash, subject: hash } as const;
 * parseLeaf(encodeLeaf(leaf))?.domain; // 'shop.example'
 * ```
 */
export function encodeLeaf(leaf: ProofLeaf): Uint8Array<ArrayBuffer> {
  const { kind, domain, domainHash, iat, exp, kid, proof, subject } = leaf;
  const host = domain === undefined ? { domainHash } : { domain };
  const text = canonicalJson({ ...host, exp, iat, kid, kind, proof, subject, v: 1 });
  const bytes = new TextEncoder().encode(text ?? '');
  if (parseLeaf(bytes) === null) throw new TypeError(`no leaf of the log can be made of ${text}`);
  return bytes;
}

/**
 * Reads an entry of the log.
 *
 * @returns `null` for an entry of another kind, which counts for the tree like any other, and says nothing to us
 * @example
 * ```ts
 * import { parseLeaf } from '@touchstone/certificate/log';
 *
 * parseLeaf(new TextEncoder().encode('another kind of entry')); // null
 * ```
 */
export function parseLeaf(bytes: Uint8Array): ProofLeaf | null {
  const value = bytes.length <= MAX_LEAF_BYTES ? parseStrictObject(bytes) : null;
  if (value === null) return null;
  const { v, ...leaf } = value;
  const { kind, domain, domainHash, iat, exp, kid, proof, subject } = leaf;
  const isHost = domainHash === undefined ? isText(domain) : isHash(domainHash) && domain === undefined;
  if (v !== 1 || Object.keys(leaf).length !== 7 || !isHost) return null;
  if (!KINDS.includes(kind as string) || !isText(kid) || !isHash(proof) || !isHash(subject)) return null;
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return null;
  // in one form only, so that no two entries say the same
  const canonical = new TextEncoder().encode(canonicalJson(value) ?? '');
  return canonical.length === bytes.length && canonical.every((byte, at) => byte === bytes[at])
    ? (leaf as unknown as ProofLeaf)
    : null;
}

/**
 * Hash of a value that a leaf does not tell: whoever knows the salt can check it, nobody else can find it out.
 *
 * @param salt - 16 bytes
 * @param kind - of the leaf, or `domain`
 * @param value - id of the product or image; or the host
 * @example
 * ```ts
 * import { createHash } from 'node:crypto';
 * import { saltedHash } from '@touchstone/certificate/log';
 *
 * const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
 * saltedHash(new Uint8Array(16), 'product', '0198', sha256).length; // 32
 * ```
 */
export function saltedHash<H>(
  salt: Uint8Array,
  kind: ProofKind | 'domain',
  value: string,
  hash: (bytes: Uint8Array<ArrayBuffer>) => H,
): H {
  return hash(concatBytes(salt, new TextEncoder().encode(`${kind}:${value}`)));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && decodeBase64url(value)?.length === HASH_BYTES;
}
