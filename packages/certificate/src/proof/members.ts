import { canonicalJson } from './canonical-json.ts';
import type { ProofKind } from './proof-rules.ts';

/**
 * The digest primitive: base64url of the SHA-256 of a text in UTF-8. Throws only when it cannot work at all.
 */
export type Sha256 = (text: string) => string | Promise<string>;

/**
 * What a proof signs of the document around it, so that no member can be altered (docs/format.md, section 2).
 * Proofs that were made before lack it.
 */
export interface BoundMembers {
  /** Address behind the prefix `svc`. */
  readonly namespace: string;
  /** By member: base64url of the SHA-256 of its canonical JSON (RFC 8785). */
  readonly members: Readonly<Record<string, string>>;
}

/** How the documents of a kind are made up. */
export interface DocumentForm {
  /** Their `@type`, without the prefix of schema.org. */
  readonly type: string;
  /** Members that repeat claims: compared with these, by the rules for hosts, pages and ids. */
  readonly repeated: readonly string[];
  /** What `svc:issuedFor` may hold. */
  readonly issuedFor: readonly string[];
  /** Every other member that such a document may have: bound by digests, and none of them may be added. */
  readonly digested: readonly string[];
}

/** No claim repeats it. */
const MEDIA_ID = 'svc:issuedFor.mediaID';
const OF_IMAGE = [MEDIA_ID, 'encodingFormat', 'width', 'height', 'svc:status', 'verification'];
const ISSUED_FOR_IMAGE = ['domain', 'assetId', 'mediaID', 'productID', 'url'];

/** The form of the documents of each kind. */
export const DOCUMENT_FORMS: Readonly<Record<ProofKind, DocumentForm>> = {
  product: {
    type: 'Product',
    repeated: ['productID', 'url', 'svc:issuedFor', 'svc:trust'],
    issuedFor: ['domain', 'productID'],
    digested: ['svc:status', 'svc:record', 'svc:images', 'additionalProperty', 'verification'],
  },
  asset: {
    type: 'ImageObject',
    repeated: ['contentUrl', 'svc:issuedFor'],
    issuedFor: ISSUED_FOR_IMAGE,
    digested: [...OF_IMAGE, 'uploadDate', 'svc:contentCredentials', 'svc:nft'],
  },
  image: {
    type: 'MediaObject',
    repeated: ['contentUrl', 'imageId', 'svc:issuedFor'],
    issuedFor: ISSUED_FOR_IMAGE,
    digested: [...OF_IMAGE, 'contentCredentials', 'cryptographicProof'],
  },
};

/** Whether a claim is the digests of members. */
export function isDigests(claim: unknown): claim is BoundMembers['members'] {
  if (typeof claim !== 'object' || claim === null || Array.isArray(claim)) return false;
  return Object.values(claim).every((digest) => typeof digest === 'string');
}

/** A member of a document by its name in `digested`. */
export function memberOf(document: object, name: string): unknown {
  const node = document as Readonly<Record<string, unknown>>;
  if (name !== MEDIA_ID) return node[name];
  return (node['svc:issuedFor'] as Readonly<Record<string, unknown>> | null | undefined)?.mediaID;
}

/** Members that every document has and that have rules of their own; `proof` cannot be bound by itself. */
const OF_ALL = ['@context', '@type', 'proof'];

/**
 * What the proof of a document binds of it: each member that no claim repeats.
 *
 * @param document - as it will be issued; its `proof` may still be missing
 * @throws TypeError when a member has no canonical form
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
