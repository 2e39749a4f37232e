import type { ImageSnapshot, ProductSnapshot } from '../snapshot.ts';
import { assetCertificatePath, canonicalSource } from './canonical-source.ts';
import { type Addresses, jsonLdContext } from './context.ts';
import { imageIdentity, type SignedProof } from './product-certificate.ts';

/** Whether the signer of an image's manifest is trusted, and by which list (decision 20). */
export interface TrustAnchor {
  readonly type: string;
  readonly status: string;
  readonly trustedDomains: readonly string[];
}

/** The identity-only asset document of a product that is not active (spec "Asset certificate"). */
export function identityOnlyAsset(
  product: Pick<ProductSnapshot, 'productId' | 'url' | 'domain'>,
  image: ImageSnapshot,
  addresses: Addresses,
) {
  return {
    '@context': jsonLdContext(addresses),
    ...imageIdentity(image),
    'svc:issuedFor': {
      domain: product.domain,
      assetId: image.imageId,
      ...(image.externalId === undefined ? {} : { mediaID: image.externalId }),
      productID: product.productId,
      url: product.url,
    },
    'svc:status': {
      canonicalSource: canonicalSource(addresses.baseUrl + assetCertificatePath(image.imageId)),
    },
  } as const;
}

/** The full certificate of one image: the expansion of its entry in `svc:images` (spec "Asset certificate"). */
export function assetCertificate(
  product: ProductSnapshot,
  image: ImageSnapshot,
  proof: SignedProof & { readonly kid: string },
  addresses: Addresses,
) {
  const { credentials, uploadDate } = image;
  const canonicalUrl = addresses.baseUrl + assetCertificatePath(image.imageId);
  return {
    ...identityOnlyAsset(product, image, addresses),
    ...(uploadDate === undefined ? {} : { uploadDate }),
    ...(credentials === undefined ? {} : { 'svc:contentCredentials': credentials }),
    verification: {
      canonicalUrl,
      canonicalSource: canonicalSource(canonicalUrl),
      hasSignature: true,
      hasBlockchain: false,
      summary: summary(image),
    },
    proof: {
      type: 'JsonWebSignature2020',
      jwt: proof.jwt,
      verificationMethod: `${addresses.baseUrl}/api/v1/.well-known/jwks.json#${proof.kid}`,
      proofPurpose: 'assertionMethod',
      algorithm: 'RS256',
    },
  } as const;
}

function summary({ credentials }: ImageSnapshot): string {
  if (credentials === undefined) return 'The bytes of this image have not been looked at yet.';
  if (credentials.hasC2PA) return 'The image carries a C2PA manifest whose integrity validates.';
  if (credentials.hasManifest) return 'The image carries a C2PA manifest that does not validate.';
  return 'The image carries no C2PA manifest.';
}
