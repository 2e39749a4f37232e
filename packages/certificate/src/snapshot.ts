/**
 * What gets signed: the state of one product at one moment, as plain data.
 *
 * A snapshot is recorded beside the intent to sign (decision 21) and every document is rendered from that
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
  /** Host the certificate is authorised for: the host of `url`, normalised (see `binding.ts`). */
  readonly domain: string;
  readonly storeName: string;
  readonly storeUrl: string;
  readonly sku?: string;
  readonly gtin?: string;
  readonly brand?: string;
  readonly attributes: readonly ProductAttribute[];
  /** In the merchant's order; `contentUrl` is unique within a product. */
  readonly images: readonly ImageSnapshot[];
}

export interface ProductAttribute {
  readonly name: string;
  readonly value: string;
}

export interface ImageSnapshot {
  /** UUID, stable per (product, image address); the asset id of the spec. */
  readonly imageId: string;
  readonly contentUrl: string;
  readonly encodingFormat?: string;
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
  /** RFC 3339. */
  readonly uploadDate?: string;
  readonly externalId?: string;
  /** Absent until the bytes have been looked at. */
  readonly credentials?: ImageCredentials;
}

/** What was found in the bytes of an image. */
export interface ImageCredentials {
  /** The bytes that we hold carry a C2PA manifest whose integrity validates (decision 20). */
  readonly hasC2PA: boolean;
  readonly hasManifest: boolean;
  /** Left out whole where one of the two cannot be made. */
  readonly hashes?: { readonly uhash: string; readonly phash: string };
}

/** Coverage counts of spec "Product certificate", rule 1. */
export interface Coverage {
  readonly certifiedAssets: number;
  readonly totalAssets: number;
  /** Percent, 0 to 100, two decimals; 0 of 0 is 0 (decision 4). */
  readonly coveragePercent: number;
}
