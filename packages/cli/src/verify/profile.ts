import {
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

function kindOf(node: unknown): CertificateKind {
  const type = isRecord(node) ? node['@type'] : undefined;
  if (type === 'ImageObject') return 'asset';
  return type === 'MediaObject' ? 'image' : 'product';
}

/** The product whose certificate it claims to be; what is signed must agree. */
function productNamedBy(node: unknown, kind: CertificateKind, { issuers }: Trust): string | undefined {
  if (kind !== 'product') return undefined;
  const source = parseCanonicalSource(node, issuers);
  return source.kind === 'ok' ? source.productId : undefined;
}
