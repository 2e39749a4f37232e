import { parseCanonicalSource } from '@touchstone/certificate';
import {
  hostOf,
  type ProfileInput,
  type ProfileVerification,
  type ReadManifest,
  verifyProfiles,
} from '@touchstone/certificate/verify';
import { isRecord } from '../client/problem.ts';
import { jwtOf, nodeOf } from './document.ts';
import type { Trust } from './trust.ts';

/** Which certificate it is: of a product, of one of its images, or of an image by its own id. */
export type CertificateKind = ProfileInput['kind'];

export interface ProfileRequest {
  readonly document: unknown;
  readonly pageUrl: string;
  readonly productId?: string | undefined;
  /** What the visitor sees, where it is at hand. */
  readonly image?:
    | { readonly bytes: Uint8Array<ArrayBuffer>; readonly readManifest: ReadManifest }
    | undefined;
  readonly trust: Trust;
  readonly now: Date;
}

export interface ProfileOutcome extends ProfileVerification {
  readonly kind: CertificateKind;
}

/**
 * Verifies a certificate by the profiles (record 57). Which kind it is follows from what it says of itself, and is told:
 * a proof of another kind does not hold for it.
 */
export async function verifyByProfiles(request: ProfileRequest): Promise<ProfileOutcome> {
  const { document, pageUrl, image, trust, now } = request;
  const node = nodeOf(document);
  const kind = kindOf(node);
  const productId = request.productId?.toLowerCase() ?? productNamedBy(node, kind, trust);
  const verification = await verifyProfiles({
    document,
    kind,
    now,
    ...(await trust.keysFor(jwtOf(node))),
    context: {
      domain: hostOf(pageUrl) ?? new URL(pageUrl).hostname,
      pageUrl,
      ...(productId === undefined ? {} : { productId }),
    },
    ...(image === undefined ? {} : { image: image.bytes, readManifest: image.readManifest }),
  });
  return { kind, ...verification };
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
