import {
  type CredentialsFinding,
  type ImageSnapshot,
  type NftRecord,
  NO_TRUST_LIST,
  type ProductSnapshot,
  type SignerTrust,
} from '../claims/snapshot.ts';
import { jwksUrl } from '../keys/key-set.ts';
import { type Addresses, assetCertificatePath, jsonLdContext } from './addresses.ts';
import { canonicalSource } from './canonical-source.ts';
import { imageIdentity, logProofMember, type SignedProof } from './product-certificate.ts';

/**
 * The identity-only asset document of a product that is not active (spec "Asset certificate").
 *
 * @example
 * ```ts
 * import { identityOnlyAsset } from '@touchstone/certificate/issue';
 * import { TEST_PRODUCT } from '@touchstone/certificate/testing';
 *
 * const addresses = { baseUrl: 'https://certificates.example', namespaceUrl: 'https://certificates.example/ns#' };
 * const [image] = TEST_PRODUCT.images;
 * image && identityOnlyAsset(TEST_PRODUCT, image, addresses)['@type']; // 'ImageObject'
 * ```
 */
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

/**
 * The full certificate of one image: the expansion of its entry in `svc:images` (spec "Asset certificate").
 *
 * @example
 * ```ts
 * import { assetCertificate } from '@touchstone/certificate/issue';
 * import { TEST_PRODUCT } from '@touchstone/certificate/testing';
 *
 * const addresses = { baseUrl: 'https://certificates.example', namespaceUrl: 'https://certificates.example/ns#' };
 * const proof = { jwt: 'header.payload.signature', issuedAt: '2026-03-01T12:00:00Z', kid: 'key-1' };
 * const [image] = TEST_PRODUCT.images;
 * image && assetCertificate(TEST_PRODUCT, image, proof, addresses).proof.proofPurpose; // 'assertionMethod'
 * ```
 */
export function assetCertificate(
  product: ProductSnapshot,
  image: ImageSnapshot,
  proof: SignedProof & { readonly kid: string },
  addresses: Addresses,
) {
  const { credentials, uploadDate, about } = image;
  const canonicalUrl = addresses.baseUrl + assetCertificatePath(image.imageId);
  return {
    ...identityOnlyAsset(product, image, addresses),
    ...(uploadDate === undefined ? {} : { uploadDate }),
    ...(credentials === undefined ? {} : { 'svc:contentCredentials': credentials }),
    ...(about?.nft === undefined ? {} : { 'svc:nft': nft(about.nft) }),
    verification: {
      canonicalUrl,
      canonicalSource: canonicalSource(canonicalUrl),
      hasSignature: true,
      hasBlockchain: about?.nft !== undefined,
      summary: summary(image),
      ...(about?.signerTrust === undefined
        ? {}
        : { trustAnchor: trustAnchor(about.signerTrust, product.domain) }),
    },
    proof: {
      type: 'JsonWebSignature2020',
      jwt: proof.jwt,
      verificationMethod: `${jwksUrl(addresses.baseUrl)}#${proof.kid}`,
      proofPurpose: 'assertionMethod',
      algorithm: 'RS256',
    },
    ...logProofMember(proof),
  } as const;
}

function summary({ credentials }: ImageSnapshot): string {
  if (credentials === undefined) return 'The bytes of this image have not been scanned yet.';
  if (credentials.finding !== undefined) return FINDINGS[credentials.finding];
  if (credentials.served === 'source')
    return 'This service signed the image; the shop still served the unsigned file when it was last asked.';
  if (credentials.hasC2PA) return 'The image carries a C2PA manifest whose integrity validates.';
  if (credentials.hasManifest) return 'The image carries a C2PA manifest that does not validate.';
  return 'The image carries no C2PA manifest.';
}

const FINDINGS: Readonly<Record<CredentialsFinding, string>> = {
  image_issued_to_another_store:
    'The image carries a C2PA manifest that this service signed for another store, so it is not certified for this one.',
  image_manifest_remote:
    'The image names a C2PA manifest that lies elsewhere. It is not fetched, so nothing is known of it.',
};

/** The blockchain record of an image: only data returned by the contract itself, not claims of the merchant. */
function nft(record: NftRecord) {
  const { tokenId, transactionHash, explorerUrl } = record;
  return {
    '@type': 'PropertyValue',
    name: 'Blockchain Certification',
    minted: true,
    description: whatWasProven(record),
    tokenId,
    transactionHash,
    ...(explorerUrl === undefined ? {} : { explorerUrl }),
  } as const;
}

/** The sentence excludes what was not examined: who made the contract, and what its token is worth. */
function whatWasProven({ chain, contract, tokenId, standard, owner, seenOn }: NftRecord): string {
  return `On ${seenOn}, the contract ${contract} on ${chain} recorded the SHA-256 hash of this image for its ${standard} token ${tokenId}, minted by this transaction, and named ${owner} as its owner. The token is recorded here for no other image. It proves nothing about who made the picture or owns its rights.`;
}

/** Trust in the signer of the manifest, which is separate from its integrity; valid for the domain that the proof binds. */
function trustAnchor(trust: SignerTrust, domain: string) {
  const { status, list, listDate, signer } = trust;
  const wasAsked = list !== NO_TRUST_LIST;
  return {
    type: 'C2PATrustList',
    // without a trust list the status is unknown, which does not count against the signer
    status: status === 'untrusted' && !wasAsked ? 'unknown' : status,
    description: wasAsked ? byList(trust) : withoutList(trust),
    ...(wasAsked ? { trustList: list, trustListDate: listDate } : {}),
    ...(signer === undefined ? {} : { signer }),
    trustedDomains: [domain],
  } as const;
}

/** Names the list and its date: the result depends on both. */
function byList({ status, list, listDate, signer }: SignerTrust): string {
  const by = signer === undefined ? 'its signer' : `its signer, ${signer},`;
  const sentences: Readonly<Record<SignerTrust['status'], string>> = {
    trusted: `The manifest is signed, and ${by} is vouched for by`,
    untrusted: `The manifest is signed, but ${by} is not vouched for by`,
    none: 'No manifest that validates, so no signer was looked up in',
  };
  return `${sentences[status]} the trust list "${list}" of ${listDate}.`;
}

function withoutList({ status, signer }: SignerTrust): string {
  if (status === 'none') return 'No manifest that validates; nor has this service a trust list configured.';
  const named = signer === undefined ? '' : ` (${signer})`;
  return `The manifest is signed${named}. Whether its signer is trusted was not looked up: this service has no trust list configured.`;
}
