import { canonicalJson } from './canonical-json.ts';
import type { ProofKind } from './proof-rules.ts';
import { isObject } from './strict-json.ts';

/** The digest primitive: base64url of the SHA-256 of a string in UTF-8. Throws only if it cannot work at all. */
export type Sha256 = (text: string) => string | Promise<string>;

/**
 * Members of the surrounding document that a proof signs, so that none can be altered (docs/format.md, section 4).
 * Older proofs do not have them.
 */
export interface BoundMembers {
  /** The namespace behind the prefix `svc`. */
  readonly namespace: string;
  /** Base64url of the SHA-256 of each member's canonical JSON (RFC 8785), by name. */
  readonly members: Readonly<Record<string, string>>;
}

/** The structure of the documents of a kind. */
export interface DocumentForm {
  /** Their `@type`, without a schema.org prefix. */
  readonly type: string;
  /** Members that repeat claims: compared with the claims, by the rules for hosts, pages and ids. */
  readonly repeated: readonly string[];
  /** Members that `svc:issuedFor` may have. */
  readonly issuedFor: readonly string[];
  /** All other members that such a document may have: bound by digests; none may be added later. */
  readonly digested: readonly string[];
  /** Members of `proof` besides `jwt`, with their values; an empty value follows from the proof. */
  readonly proofMembers: Readonly<Record<string, string>>;
}

/** Not repeated by any claim. */
const MEDIA_ID = 'svc:issuedFor.mediaID';
const OF_IMAGE = [MEDIA_ID, 'encodingFormat', 'width', 'height', 'svc:status', 'verification'];
const ISSUED_FOR_IMAGE = ['domain', 'assetId', 'mediaID', 'productID', 'url'];
const JSON_WEB_SIGNATURE = { type: 'JsonWebSignature2020', algorithm: 'RS256' };

/** The structure of the documents of each kind. */
export const DOCUMENT_FORMS: Readonly<Record<ProofKind, DocumentForm>> = {
  product: {
    type: 'Product',
    repeated: ['productID', 'url', 'svc:issuedFor', 'svc:trust'],
    issuedFor: ['domain', 'productID'],
    digested: ['svc:status', 'svc:record', 'svc:images', 'additionalProperty', 'verification'],
    proofMembers: JSON_WEB_SIGNATURE,
  },
  asset: {
    type: 'ImageObject',
    repeated: ['contentUrl', 'svc:issuedFor'],
    issuedFor: ISSUED_FOR_IMAGE,
    digested: [...OF_IMAGE, 'uploadDate', 'svc:contentCredentials', 'svc:nft'],
    proofMembers: { ...JSON_WEB_SIGNATURE, proofPurpose: 'assertionMethod', verificationMethod: '' },
  },
  image: {
    type: 'MediaObject',
    repeated: ['contentUrl', 'imageId', 'svc:issuedFor'],
    issuedFor: ISSUED_FOR_IMAGE,
    digested: [...OF_IMAGE, 'contentCredentials', 'cryptographicProof'],
    proofMembers: { type: 'JwtProof2020' },
  },
};

/** Whether a claim is a map of digests. */
export function isDigests(claim: unknown): claim is BoundMembers['members'] {
  return isObject(claim) && Object.values(claim).every((digest) => typeof digest === 'string');
}

/** A member of a document by its name in `digested`. */
export function memberOf(document: object, name: string): unknown {
  const node = document as Readonly<Record<string, unknown>>;
  if (name !== MEDIA_ID) return node[name];
  return (node['svc:issuedFor'] as Readonly<Record<string, unknown>> | null | undefined)?.mediaID;
}

/** Where the proof is logged, as tlog-proof: made after the proof, which therefore cannot bind it; it proves itself (`verifyLogProof`). */
export const LOG_PROOF = 'svc:logProof';

/** Members of every document with rules of their own; `proof` cannot bind itself. */
const OF_ALL = ['@context', '@type', 'proof', LOG_PROOF];

/**
 * Computes what the proof of a document binds: the digest of each member that no claim repeats.
 *
 * @param document - as it will be issued; its `proof` may still be missing
 * @throws TypeError if a member has no canonical form
 * @example
 * ```ts
 * import { webCryptoSha256 } from '@touchstone/certificate';
 * import { bindMembers, identityOnlyProduct } from '@touchstone/certificate/issue';
 * import { TEST_PRODUCT } from '@touchstone/certificate/testing';
 *
 * const addresses = { baseUrl: 'https://certificates.example', namespaceUrl: 'https://certificates.example/ns#' };
 * const document = identityOnlyProduct(TEST_PRODUCT, addresses);
 * const { members } = await bindMembers('product', document, webCryptoSha256());
 * Object.keys(members); // ['svc:status']
 * ```
 */
export async function bindMembers(
  kind: ProofKind,
  document: { readonly '@context': readonly [string, { readonly svc: string }] },
  sha256: Sha256,
): Promise<BoundMembers> {
  const apart = [...OF_ALL, ...DOCUMENT_FORMS[kind].repeated];
  const members: Record<string, string> = {};
  for (const name of [...Object.keys(document), MEDIA_ID]) {
    const value = memberOf(document, name);
    if (apart.includes(name) || value === undefined) continue;
    const text = canonicalJson(value);
    if (text === null) throw new TypeError(`the member ${name} of this ${kind} has no canonical JSON`);
    const digest = sha256(text);
    members[name] = typeof digest === 'string' ? digest : await digest;
  }
  return { namespace: document['@context'][1].svc, members };
}
