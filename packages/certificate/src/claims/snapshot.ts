/**
 * The data to be signed: the state of one product at one moment, as plain data.
 *
 * A snapshot is recorded with the intent to sign, and every document is rendered from that record, so that two nodes
 * return the same bytes. It contains no time of issue, key or address of the service.
 */
export interface ProductSnapshot {
  /** The service's identifier of the product (UUID, lower case). */
  readonly productId: string;
  /** The merchant platform's own identifier. */
  readonly externalProductId: string;
  readonly name: string;
  /** Address of the product page, as the merchant gave it (absolute http or https). */
  readonly url: string;
  /** Host the certificate is authorised for: the host of `url`, normalised (see `normalizeHost`). */
  readonly domain: string;
  readonly storeName: string;
  readonly storeUrl: string;
  /** Absent if the merchant has none, like `gtin` and `brand`. */
  readonly sku?: string;
  readonly gtin?: string;
  readonly brand?: string;
  /** Further attributes, in the merchant's order; one named `name` or `description` is not published. */
  readonly attributes: readonly ProductAttribute[];
  /** In the merchant's order; `contentUrl` is unique within a product. */
  readonly images: readonly ImageSnapshot[];
  /** How control of `domain` was proven; absent only in records from before proofs stated it. */
  readonly control?: ControlSnapshot;
  /** Domains that an image's certificate is valid for; only set for image-keyed certificates. */
  readonly domains?: ImageDomains;
}

/** Whether and how control of a host was proven, according to the registry. */
export interface ControlSnapshot {
  /** The registry's name of the method; `none`: control is not proven, and there are no times. */
  readonly method: string;
  /** Beginning of the latest check that succeeded; RFC 3339. A later one alone makes no new proof of the product. */
  readonly checkedAt?: string;
  /** Beginning of the check that proved it first; RFC 3339. Not signed: a host that was lost and proven again is another state. */
  readonly provenAt?: string;
}

/** Domains that an image's certificate is valid for, according to the registry. */
export interface ImageDomains {
  /** The domain it was issued for; at this service no other. */
  readonly authorizedDomains: readonly string[];
  /** Control of the domain it was issued for has been proven. */
  readonly domainVerified: boolean;
}

/** An attribute of the product in addition to its identifiers. */
export interface ProductAttribute {
  readonly name: string;
  readonly value: string;
}

/** One image of a product. */
export interface ImageSnapshot {
  /** UUID, stable per (product, image address); the asset id of the spec. */
  readonly imageId: string;
  /** Address of the image as the shop serves it; unique within a product. */
  readonly contentUrl: string;
  /** Media type, detected from the bytes; absent until they have been scanned, like width and height. */
  readonly encodingFormat?: string;
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
  /** RFC 3339. */
  readonly uploadDate?: string;
  /** The merchant platform's own identifier of the image. */
  readonly externalId?: string;
  /** Absent until the bytes have been scanned. */
  readonly credentials?: ImageCredentials;
  /** Its bytes could not be fetched or decoded: it has no certificate of its own. */
  readonly givenUp?: true;
  /** Set only when a single image is requested; not part of a product's certificate. */
  readonly about?: ImageDetails;
}

/** Details in the certificates of one image that its entry in the product's certificate lacks. */
export interface ImageDetails {
  /** When the recorded data of the image last changed; RFC 3339. */
  readonly updatedAt: string;
  /** Path under the base address where our copy of the bytes is served; if absent, they are only at `contentUrl`. */
  readonly assetPath?: string;
  /** Absent until the bytes have been scanned. */
  readonly signerTrust?: SignerTrust;
  /** Only if it was recorded for the bytes that we hold. */
  readonly nft?: NftRecord;
}

/** Replaces the name of the trust list if none is configured. */
export const NO_TRUST_LIST = 'none';

/** Whether the signer of an image's manifest is trusted, and by which list. */
export interface SignerTrust {
  /** `none`: there is no manifest, or none that validates. */
  readonly status: 'trusted' | 'untrusted' | 'none';
  /** Name of the trust list; `NO_TRUST_LIST` if the service had none. */
  readonly list: string;
  /** Date of the trust list, as stated in the list; meaningless if there was none. */
  readonly listDate: string;
  /** The signer, as named in its certificate. */
  readonly signer?: string;
}

/** A token on a blockchain that was found to carry the hash of an image. */
export interface NftRecord {
  /** The operator's name for the chain. */
  readonly chain: string;
  /** Chain ID (EIP-155). */
  readonly chainId: number;
  /** Lower case. */
  readonly contract: string;
  /** Decimal. */
  readonly tokenId: string;
  /** `0x` and 64 hexadecimal digits. */
  readonly transactionHash: string;
  readonly explorerUrl?: string;
  /** Hash of the image that it was recorded for. */
  readonly uhash: string;
  /** Token standard of the contract; absent in records from before 0.2, which are not published. */
  readonly standard?: 'ERC-721' | 'ERC-1155';
  /** Owner of the token when it was recorded, according to the contract; lower case. */
  readonly owner?: string;
  /** As returned by the contract; at most 2,000 characters. */
  readonly tokenUri?: string;
  /** Date on which the chain was queried, YYYY-MM-DD. */
  readonly seenOn?: string;
}

/** What was found in the bytes of an image. */
export interface ImageCredentials {
  /** The bytes that we hold carry a C2PA manifest whose integrity validates and that names no other store. */
  readonly hasC2PA: boolean;
  /** They carry a C2PA manifest, valid or not. */
  readonly hasManifest: boolean;
  /** Absent if either hash cannot be computed. */
  readonly hashes?: { readonly uhash: string; readonly phash: string };
  /** SHA-256 of the source file of the certified bytes, hex; absent if the two are the same. */
  readonly sourceUhash?: string;
  /** Which of the two files the shop served when last checked; only for a certified image. */
  readonly served?: ServedBytes;
  /** Why the image is not certified, if the other members do not show it. */
  readonly finding?: CredentialsFinding;
}

/** `certified`: the file with the manifest; `source`: the file that it was made from. */
export type ServedBytes = 'certified' | 'source';

/**
 * `image_issued_to_another_store`: the manifest was signed for another store.
 * `image_manifest_remote`: the image refers to a remote manifest, which is not fetched.
 */
export type CredentialsFinding = 'image_issued_to_another_store' | 'image_manifest_remote';

/** Coverage counts of spec "Product certificate", rule 1. */
export interface Coverage {
  /** Images with a C2PA manifest whose integrity validates. */
  readonly certifiedAssets: number;
  readonly totalAssets: number;
  /** Percent, 0 to 100, two decimals; 0 of 0 is 0. */
  readonly coveragePercent: number;
}
