import { coverageOf } from '../claims/coverage.ts';
import type { ImageSnapshot, ProductSnapshot } from '../claims/snapshot.ts';
import { LOG_PROOF } from '../proof/members.ts';
import {
  type Addresses,
  assetCertificatePath,
  jsonLdContext,
  productCertificatePath,
  verifyUrl,
} from './addresses.ts';
import { canonicalSource } from './canonical-source.ts';

/** Name of the verification tool of the companion tool server (spec "Product certificate"). */
export const VERIFICATION_TOOL = 'verify_svc_certificate';

/**
 * The identity-only document of a product that is not active: no key beyond these (spec, rule 2).
 *
 * @example
 * ```ts
 * import { identityOnlyProduct } from '@touchstone/certificate/issue';
 * import { TEST_PRODUCT } from '@touchstone/certificate/testing';
 *
 * const addresses = { baseUrl: 'https://certificates.example', namespaceUrl: 'https://certificates.example/ns#' };
 * 'proof' in identityOnlyProduct(TEST_PRODUCT, addresses); // false
 * ```
 */
export function identityOnlyProduct(
  snapshot: Pick<ProductSnapshot, 'productId' | 'url' | 'domain'>,
  addresses: Addresses,
) {
  const { productId, url, domain } = snapshot;
  return {
    '@context': jsonLdContext(addresses),
    '@type': 'Product',
    productID: productId,
    url,
    'svc:issuedFor': { domain, productID: productId },
    'svc:status': {
      canonicalSource: canonicalSource(addresses.baseUrl + productCertificatePath(productId)),
    },
  } as const;
}

/** A signed proof and when it was issued. */
export interface SignedProof {
  /** Compact JWS (RFC 7515 section 3.1). */
  readonly jwt: string;
  /** RFC 3339. */
  readonly issuedAt: string;
  /** Its inclusion in the transparency log (tlog-proof), where the document carries it. */
  readonly logProof?: string;
}

/** The member of a document that carries the inclusion of its proof in the transparency log. */
export function logProofMember({ logProof }: SignedProof) {
  return logProof === undefined ? {} : { [LOG_PROOF]: logProof };
}

/**
 * The full certificate of an active product (spec "Product certificate"). Names within its members are in canonical
 * JSON order, so that verifiers need not sort them.
 *
 * @example
 * ```ts
 * import { productCertificate } from '@touchstone/certificate/issue';
 * import { TEST_PRODUCT } from '@touchstone/certificate/testing';
 *
 * const addresses = { baseUrl: 'https://certificates.example', namespaceUrl: 'https://certificates.example/ns#' };
 * const proof = { jwt: 'header.payload.signature', issuedAt: '2026-03-01T12:00:00Z' };
 * productCertificate(TEST_PRODUCT, proof, addresses)['svc:issuedFor'].domain; // 'shop.example'
 * ```
 */
export function productCertificate(snapshot: ProductSnapshot, proof: SignedProof, addresses: Addresses) {
  const { productId, images } = snapshot;
  const certificateUrl = addresses.baseUrl + productCertificatePath(productId);
  return {
    ...identityOnlyProduct(snapshot, addresses),
    'svc:record': {
      issuedAt: proof.issuedAt,
      recordId: productId,
      recordUrl: certificateUrl,
      recordUrlMethod: 'GET',
    },
    'svc:images': images.map((image) => imageEntry(image, addresses)),
    additionalProperty: additionalProperties(snapshot),
    'svc:trust': coverageOf(images),
    verification: {
      canonicalSource: canonicalSource(certificateUrl),
      hasSignature: true,
      mcp: { tool: VERIFICATION_TOOL },
      verifyEndpoint: {
        '@type': 'WebAPI',
        description: 'Verifies this certificate against the page that it was found on.',
        httpMethod: 'POST',
        name: 'Product certificate verification',
        url: verifyUrl(addresses.baseUrl, productId),
      },
    },
    proof: { type: 'JsonWebSignature2020', jwt: proof.jwt, algorithm: 'RS256' },
    ...logProofMember(proof),
  } as const;
}

function imageEntry(image: ImageSnapshot, { baseUrl }: Addresses) {
  const { imageId, credentials, givenUp } = image;
  const { '@type': type, ...identity } = imageIdentity(image);
  return {
    '@type': type,
    certification: {
      '@type': 'ImageObject',
      'svc:assetId': imageId,
      ...(credentials === undefined ? {} : { 'svc:contentCredentials': credentials }),
      // no address if no certificate is served
      ...(givenUp === true ? {} : { url: baseUrl + assetCertificatePath(imageId) }),
    },
    ...identity,
  } as const;
}

/** The identity part of an image's entry, without trust data. */
export function imageIdentity({ contentUrl, encodingFormat, width, height }: ImageSnapshot) {
  return {
    '@type': 'ImageObject',
    contentUrl,
    ...(encodingFormat === undefined ? {} : { encodingFormat }),
    ...(height === undefined ? {} : { height }),
    ...(width === undefined ? {} : { width }),
  } as const;
}

/** One PropertyValue per identifier and attribute; never the name or description (spec "Boundaries"). */
function additionalProperties(snapshot: ProductSnapshot) {
  const { externalProductId, sku, gtin, brand, attributes } = snapshot;
  const identifiers = Object.entries({ externalProductId, sku, gtin, brand });
  const own = attributes.filter(({ name }) => !/^(name|description)$/i.test(name.trim()));
  return [
    ...identifiers.flatMap(([name, value]) => (value === undefined ? [] : [propertyValue(name, value)])),
    ...own.map(({ name, value }) => propertyValue(name, value)),
  ];
}

function propertyValue(name: string, value: string) {
  return { '@type': 'PropertyValue', name, value } as const;
}
