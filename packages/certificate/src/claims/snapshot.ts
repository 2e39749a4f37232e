/**
 * What gets signed: the state of one product at one moment, as plain data.
 *
 * A snapshot is recorded beside the intent to sign and every document is rendered from that
 * record, so two nodes answer the same bytes. It holds no clock, no key and no address of the service.
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
  /** Absent where the merchant has none; so are `gtin` and `brand`. */
  readonly sku?: string;
  readonly gtin?: string;
  readonly brand?: string;
  /** Further facts, in the merchant's order; one named `name` or `description` is not published. */
  readonly attributes: readonly ProductAttribute[];
  /** In the merchant's order; `contentUrl` is unique within a product. */
  readonly images: readonly ImageSnapshot[];
  /** Where the certificate of an image holds; only there, since no other says so. */
  readonly domains?: ImageDomains;
}

/** Where the certificate of an image holds, as the registry knows it. */
export interface ImageDomains {
  /** The domain it was issued for, then the other domains of the store. */
  readonly authorizedDomains: readonly string[];
  /** Control of the domain it was issued for has been proven. */
  readonly domainVerified: boolean;
}

/** A fact of the product beside its identifiers. */
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
  /** Media type by the bytes themselves; absent until they have been scanned, like width and height. */
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
  /** Its bytes could not be had or opened: it has no certificate of its own. */
  readonly givenUp?: true;
  /** The rest stands only where one image is asked for: a product's certificate says nothing of it. */
  readonly about?: ImageDetails;
}

/** What the certificates of one image say beyond its entry in the product's. */
export interface ImageDetails {
  /** When what is known of the image last changed; RFC 3339. */
  readonly updatedAt: string;
  /** Path under the base address where the bytes that we hold are served; absent: at `contentUrl` alone. */
  readonly assetPath?: string;
  /** Absent until the bytes have been scanned. */
  readonly signerTrust?: SignerTrust;
  /** Only while it names the bytes that we hold. */
  readonly nft?: NftRecord;
}

/** What stands in the place of a trust list's name where none is configured. */
export const NO_TRUST_LIST = 'none';

/** Whether the signer of an image's manifest is trusted, and by which list. */
export interface SignerTrust {
  /** `none`: there is no manifest, or none that validates. */
  readonly status: 'trusted' | 'untrusted' | 'none';
  /** Name of the trust list; `NO_TRUST_LIST` where the service had none. */
  readonly list: string;
  /** Date of the trust list, as it names it; says nothing where there was none. */
  readonly listDate: string;
  /** Who signed, as the certificate of the signer names it. */
  readonly signer?: string;
}

/** A token on a blockchain that was found to carry the hash of an image. */
export interface NftRecord {
  /** The operator's name for the chain. */
  readonly chain: string;
  /** By EIP-155. */
  readonly chainId: number;
  /** Lower case. */
  readonly contract: string;
  /** Decimal. */
  readonly tokenId: string;
  /** `0x` and 64 hexadecimal digits. */
  readonly transactionHash: string;
  readonly explorerUrl?: string;
  /** Of the image that it was recorded for. */
  readonly uhash: string;
  /** By which standard the contract answered; records of before 0.2 have none, and do not show. */
  readonly standard?: 'ERC-721' | 'ERC-1155';
  /** Who owned the token when it was recorded, by the contract's answer; lower case. */
  readonly owner?: string;
  /** As the contract names it; at most 2,000 characters. */
  readonly tokenUri?: string;
  /** Day on which the chain was asked, YYYY-MM-DD. */
  readonly seenOn?: string;
}

/** What was found in the bytes of an image. */
export interface ImageCredentials {
  /** The bytes that we hold carry a C2PA manifest whose integrity validates, and which speaks of no other store. */
  readonly hasC2PA: boolean;
  /** They carry a C2PA manifest, whether it validates or not. */
  readonly hasManifest: boolean;
  /** Left out whole where one of the two cannot be made. */
  readonly hashes?: { readonly uhash: string; readonly phash: string };
  /** SHA-256 of the bytes that the certified ones were made from, hex; absent where the two are the same. */
  readonly sourceUhash?: string;
  /** Which of the two the shop served when it was last asked; only of a certified image. */
  readonly served?: ServedBytes;
  /** Why the image is not certified, beyond what the other members tell. */
  readonly finding?: CredentialsFinding;
}

/** `certified`: the bytes that carry the manifest; `source`: those that they were made from. */
export type ServedBytes = 'certified' | 'source';

/**
 * `image_issued_to_another_store`: the manifest is one that was signed for another store.
 * `image_manifest_remote`: the image names a manifest that lies elsewhere, which is not fetched.
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
