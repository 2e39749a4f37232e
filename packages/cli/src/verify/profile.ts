import {
  type ProfileAnswer,
  parseCanonicalSource,
  type Trust,
  type VerifyByProfileOptions,
  verifyByProfile,
} from '@touchstone/certificate';
import { type CertificateKind, kindOf, nodeOf } from './found-node.ts';

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
  const { trust, profile, pageUrl, now, image, readManifest } = request;
  const node = nodeOf(request.document);
  const kind = kindOf(node);
  const productId = request.productId ?? productNamedBy(node, kind, trust);
  const question = { profile, kind, pageUrl, now, productId, image, readManifest };
  return { kind, ...(await verifyByProfile(node, { ...question, trust })) };
}

/** The product whose certificate it claims to be; what is signed must agree. */
function productNamedBy(node: unknown, kind: CertificateKind, { issuers }: Trust): string | undefined {
  if (kind !== 'product') return undefined;
  const source = parseCanonicalSource(node, issuers);
  return source.kind === 'ok' ? source.productId : undefined;
}
