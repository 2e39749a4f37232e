import { PROOF_TYP, type VerifyByProfileOptions } from '@touchstone/certificate';
import { isRecord } from '../problem.ts';

/** Kind of certificate: of a product, of one of its images, or of an image by its own id. */
export type CertificateKind = NonNullable<VerifyByProfileOptions['kind']>;

/** Compact serialization (RFC 7515, section 7.1), three parts of base64url: a proof without a document. */
export const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * The certificate node of a document. A document may be a string that contains the node (spec "Verify a product certificate", rule 4); a
 * proof alone, as a string or as the member `proof`, becomes a node with nothing else.
 */
export function nodeOf(document: unknown): unknown {
  if (typeof document === 'string') {
    if (COMPACT_JWS.test(document)) return { proof: { jwt: document } };
    try {
      const parsed: unknown = JSON.parse(document);
      // anything else stays a string, which the core rejects with its reason
      return typeof parsed === 'object' && parsed !== null ? nodeOf(parsed) : document;
    } catch {
      return document;
    }
  }
  const isProof = isRecord(document) && typeof document.jwt === 'string' && document.proof === undefined;
  return isProof ? { proof: document } : document;
}

const KIND_OF_TYPE: Readonly<Record<string, CertificateKind>> = {
  Product: 'product',
  ImageObject: 'asset',
  MediaObject: 'image',
};

/** Determined by `@type`, which may contain further types; else by the proof. */
export function kindOf(node: unknown): CertificateKind {
  if (!isRecord(node)) return 'product';
  const types = [node['@type']]
    .flat()
    .map((type) => (typeof type === 'string' ? type.replace(/^.*[/:]/, '') : ''));
  const known = types.find((type) => Object.hasOwn(KIND_OF_TYPE, type));
  return known === undefined ? kindOfProof(node.proof) : (KIND_OF_TYPE[known] ?? 'product');
}

function kindOfProof(proof: unknown): CertificateKind {
  const jwt = isRecord(proof) && typeof proof.jwt === 'string' ? proof.jwt : '';
  try {
    const { typ } = JSON.parse(Buffer.from(jwt.slice(0, jwt.indexOf('.')), 'base64url').toString());
    return (Object.keys(PROOF_TYP) as CertificateKind[]).find((kind) => PROOF_TYP[kind] === typ) ?? 'product';
  } catch {
    return 'product';
  }
}
