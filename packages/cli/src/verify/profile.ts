import {
  PROOF_TYP,
  type ProfileAnswer,
  parseCanonicalSource,
  type Trust,
  type VerifyByProfileOptions,
  verifyByProfile,
} from '@touchstone/certificate';
import { isRecord } from '../problem.ts';
import { nodeOf } from './document.ts';

/** Which certificate it is: of a product, of one of its images, or of an image by its own id. */
export type CertificateKind = NonNullable<VerifyByProfileOptions['kind']>;

export type ProfileRequest = Omit<VerifyByProfileOptions, 'trustedIssuers' | 'trust' | 'kind'> & {
  readonly document: unknown;
  readonly trust: Trust;
};

export interface ProfileOutcome extends ProfileAnswer {
  readonly kind: CertificateKind;
}

/**
 * Verifies a certificate by a profile. Which kind it is follows from what it says of itself, and is reported: a proof of
 * another kind does not hold for it.
 */
export async function verifyFoundByProfile(request: ProfileRequest): Promise<ProfileOutcome> {
  const { document, trust, profile, pageUrl, now, image, readManifest } = request;
  const node = nodeOf(document);
  const kind = kindOf(node);
  const productId = request.productId ?? productNamedBy(node, kind, trust);
  const question = { profile, kind, pageUrl, now, productId, image, readManifest };
  return { kind, ...(await verifyByProfile(document, { ...question, trust })) };
}

const KIND_OF_TYPE: Readonly<Record<string, CertificateKind>> = {
  Product: 'product',
  ImageObject: 'asset',
  MediaObject: 'image',
};

/** By its `@type`, which others may have extended; by its proof where that says nothing. */
function kindOf(node: unknown): CertificateKind {
  if (!isRecord(node)) return 'product';
  const types = [node['@type']].flat().map((type) => String(type).replace(/^.*[/:]/, ''));
  const known = types.find((type) => Object.hasOwn(KIND_OF_TYPE, type));
  return known === undefined ? kindOfProof(node.proof) : (KIND_OF_TYPE[known] ?? 'product');
}

function kindOfProof(proof: unknown): CertificateKind {
  const jwt = isRecord(proof) ? String(proof.jwt) : '';
  try {
    const { typ } = JSON.parse(Buffer.from(jwt.slice(0, jwt.indexOf('.')), 'base64url').toString());
    return (Object.keys(PROOF_TYP) as CertificateKind[]).find((kind) => PROOF_TYP[kind] === typ) ?? 'product';
  } catch {
    return 'product';
  }
}

/** The product whose certificate it claims to be; what is signed must agree. */
function productNamedBy(node: unknown, kind: CertificateKind, { issuers }: Trust): string | undefined {
  if (kind !== 'product') return undefined;
  const source = parseCanonicalSource(node, issuers);
  return source.kind === 'ok' ? source.productId : undefined;
}
