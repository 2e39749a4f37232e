import type { ImageDomains, ImageSnapshot, ProductSnapshot } from '../claims/snapshot.ts';
import { jwksUrl } from '../keys/key-set.ts';
import { type Addresses, imageCertificatePath, jsonLdContext } from './addresses.ts';
import { canonicalSource } from './canonical-source.ts';
import { imageIdentity, logProofMember, type SignedProof } from './product-certificate.ts';

/**
 * The minimal image-keyed certificate (spec "Image-keyed certificate"): no key beyond these.
 *
 * @example
 * ```ts
 * import { minimalImageCertificate } from '@touchstone/certificate/issue';
 *
 * const domains = { authorizedDomains: ['shop.example'], domainVerified: true };
 * minimalImageCertificate('6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01', domains)['@type']; // 'DigitalDocument'
 * ```
 */
export function minimalImageCertificate(imageId: string, domains: ImageDomains) {
  return {
    '@context': 'https://schema.org',
    '@type': 'DigitalDocument',
    imageId,
    verification: verification(domains),
  } as const;
}

/** A signed proof with its key and expiry. */
export interface ImageProof extends SignedProof {
  /** Key ID of the signing key. */
  readonly kid: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/**
 * The full image-keyed certificate, for audits and offline verification.
 *
 * @example
 * ```ts
 * import { fullImageCertificate } from '@touchstone/certificate/issue';
 * import { TEST_PRODUCT } from '@touchstone/certificate/testing';
 *
 * const addresses = { baseUrl: 'https://certificates.example', namespaceUrl: 'https://certificates.example/ns#' };
 * const domains = { authorizedDomains: ['shop.example'], domainVerified: true };
 * const proof = {
 *   jwt: 'header.payload.signature',
 *   kid: 'key-1',
 *   issuedAt: '2026-03-01T12:00:00Z',
 *   expiresAt: '2026-03-08T12:00:00Z',
 * };
 * const [image] = TEST_PRODUCT.images;
 * image && fullImageCertificate(TEST_PRODUCT, image, proof, domains, addresses)['@type']; // 'MediaObject'
 * ```
 */
export function fullImageCertificate(
  product: ProductSnapshot,
  image: ImageSnapshot,
  proof: ImageProof,
  domains: ImageDomains,
  addresses: Addresses,
) {
  const { imageId, contentUrl, credentials, about } = image;
  return {
    '@context': jsonLdContext(addresses),
    ...imageIdentity(image),
    '@type': 'MediaObject',
    imageId,
    'svc:issuedFor': {
      domain: product.domain,
      assetId: imageId,
      ...(image.externalId === undefined ? {} : { mediaID: image.externalId }),
      productID: product.productId,
      url: product.url,
    },
    'svc:status': { canonicalSource: canonicalSource(fullCertificateUrl(addresses.baseUrl, imageId)) },
    verification: verification(domains),
    contentCredentials: {
      dateIssued: proof.issuedAt,
      lastUpdated: about?.updatedAt ?? proof.issuedAt,
      asset: {
        url: about?.assetPath === undefined ? contentUrl : addresses.baseUrl + about.assetPath,
      },
      ...credentials,
    },
    cryptographicProof: cryptographicProof(image, proof, addresses.baseUrl),
    proof: { type: 'JwtProof2020', jwt: proof.jwt },
    ...logProofMember(proof),
  } as const;
}

function fullCertificateUrl(baseUrl: string, imageId: string): string {
  return `${baseUrl}${imageCertificatePath(imageId)}?full=true`;
}

function verification({ authorizedDomains, domainVerified }: ImageDomains) {
  // only served together with a signed proof
  return { authorizedDomains, domainVerified, hasSignature: true } as const;
}

/** Data for verifying the proof and the bytes; algorithms are named by their standards. */
function cryptographicProof({ credentials }: ImageSnapshot, proof: ImageProof, baseUrl: string) {
  const hashes = credentials?.hashes;
  return {
    algorithm: 'RS256',
    kid: proof.kid,
    jwksUrl: jwksUrl(baseUrl),
    issuer: baseUrl,
    issuedAt: proof.issuedAt,
    expiresAt: proof.expiresAt,
    ...(hashes === undefined
      ? {}
      : {
          uhash: { algorithm: 'SHA-256', value: hashes.uhash },
          phash: { algorithm: 'ISO 24138 ISCC Image-Code', value: hashes.phash },
        }),
  } as const;
}
