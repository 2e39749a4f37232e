import type { BoundMembers } from '../proof/members.ts';
import { PROOF_LIFETIME } from '../proof/proof-rules.ts';
import { coverageOf } from './coverage.ts';
import type { ControlSnapshot, ImageSnapshot, ProductSnapshot } from './snapshot.ts';

/** Issuer and time of a proof. */
export interface Issuance {
  /** Base address of the issuing API, without a trailing slash. */
  readonly issuer: string;
  /** Time of issue; fractions of a second are dropped. */
  readonly issuedAt: Date;
  /** The entry of a status list that tells whether the proof has been withdrawn. If left out, no list names it. */
  readonly status?: StatusEntry;
  /** Members of the document that the proof binds (`bindMembers`). If left out, it binds only what its claims repeat. */
  readonly bound?: BoundMembers;
}

/** An entry of a status list. */
export interface StatusEntry {
  /** Address of the list (`statusListUri`). */
  readonly uri: string;
  /** 0 to 1,048,575. */
  readonly index: number;
}

/** Where the status of a proof is listed (draft-ietf-oauth-status-list-20, section 6.2). */
export interface StatusClaim {
  readonly status_list: { readonly idx: number; readonly uri: string };
}

/** The claims of spec "Proof JWT" that every kind carries. */
export interface CommonClaims extends Partial<BoundMembers> {
  /** Base address of the issuing API. */
  readonly iss: string;
  /** Seconds since 1970. */
  readonly iat: number;
  /** `iat` plus 7 days. */
  readonly exp: number;
  /** Host that the certificate is authorised for. */
  readonly domain: string;
  /** Address of the product page. */
  readonly url: string;
  /** The service's identifier of the product (UUID). */
  readonly productId: string;
  /** The merchant platform's own identifier. */
  readonly externalProductId: string;
  readonly productName: string;
  readonly storeName: string;
  readonly storeUrl: string;
  /** Absent in proofs from before there was this claim. */
  readonly control?: ControlClaim;
  /** Absent in proofs from before there were status lists. */
  readonly status?: StatusClaim;
}

/** How control of `domain` had been proven when the proof was issued. */
export interface ControlClaim {
  /** `dns_txt`, `well_known`, `meta_tag`; `none`: it had not been proven. */
  readonly method: string;
  /** Seconds since 1970: the latest check that had succeeded; absent if the method is `none`. */
  readonly checkedAt?: number;
}

/** The claims of the proof of a product certificate. */
export interface ProductClaims extends CommonClaims {
  readonly certifiedAssets: number;
  readonly totalAssets: number;
  /** 0 to 100, two decimals. */
  readonly coveragePercent: number;
}

/** Claims common to the proofs of one image, except its identifier. */
interface OneImageClaims extends CommonClaims {
  readonly contentUrl: string;
  /** Hash of the bytes; absent until they have been scanned. */
  readonly uhash?: string;
  readonly phash?: string;
  /** Hash of the source file of the certified bytes, if it differs from them. */
  readonly sourceUhash?: string;
}

/** The claims of the proof of an asset certificate. */
export interface AssetClaims extends OneImageClaims {
  readonly assetId: string;
}

/** The claims of the proof of an image-keyed certificate. */
export interface ImageClaims extends OneImageClaims {
  readonly imageId: string;
}

/** The claims of a proof of any kind. */
export type Claims = ProductClaims | AssetClaims | ImageClaims;

/**
 * The claims of a product certificate's proof, including the three coverage values (spec, rule 1).
 *
 * @example
 * ```ts
 * import { productClaims } from '@touchstone/certificate/issue';
 * import { TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
 *
 * const claims = productClaims(TEST_PRODUCT, { issuer: 'https://certificates.example', issuedAt: TEST_NOW });
 * claims.exp - claims.iat; // 604800
 * ```
 */
export function productClaims(snapshot: ProductSnapshot, issuance: Issuance): ProductClaims {
  return { ...commonClaims(snapshot, issuance), ...coverageOf(snapshot.images) };
}

/**
 * The claims of an asset certificate's proof.
 *
 * @example
 * ```ts
 * import { assetClaims } from '@touchstone/certificate/issue';
 * import { TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
 *
 * const [image] = TEST_PRODUCT.images;
 * const issuance = { issuer: 'https://certificates.example', issuedAt: TEST_NOW };
 * image && assetClaims(TEST_PRODUCT, image, issuance).domain; // 'shop.example'
 * ```
 */
export function assetClaims(
  snapshot: ProductSnapshot,
  image: ImageSnapshot,
  issuance: Issuance,
): AssetClaims {
  const { imageId: assetId, contentUrl } = image;
  return { ...commonClaims(snapshot, issuance), assetId, contentUrl, ...hashesOf(image) };
}

/**
 * The claims of an image-keyed certificate's proof.
 *
 * @example
 * ```ts
 * import { imageClaims } from '@touchstone/certificate/issue';
 * import { TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
 *
 * const [image] = TEST_PRODUCT.images;
 * const issuance = { issuer: 'https://certificates.example', issuedAt: TEST_NOW };
 * image && imageClaims(TEST_PRODUCT, image, issuance).domain; // 'shop.example'
 * ```
 */
export function imageClaims(
  snapshot: ProductSnapshot,
  image: ImageSnapshot,
  issuance: Issuance,
): ImageClaims {
  const { imageId, contentUrl } = image;
  return { ...commonClaims(snapshot, issuance), imageId, contentUrl, ...hashesOf(image) };
}

function hashesOf({ credentials }: ImageSnapshot) {
  const sourceUhash = credentials?.sourceUhash;
  return { ...credentials?.hashes, ...(sourceUhash === undefined ? {} : { sourceUhash }) };
}

function commonClaims(
  snapshot: ProductSnapshot,
  { issuer, issuedAt, status, bound }: Issuance,
): CommonClaims {
  const iat = inSeconds(issuedAt);
  return {
    iss: issuer,
    iat,
    exp: iat + PROOF_LIFETIME,
    domain: snapshot.domain,
    url: snapshot.url,
    productId: snapshot.productId,
    externalProductId: snapshot.externalProductId,
    productName: snapshot.name,
    storeName: snapshot.storeName,
    storeUrl: snapshot.storeUrl,
    ...(snapshot.control === undefined ? {} : { control: controlClaim(snapshot.control) }),
    ...(status === undefined ? {} : { status: { status_list: { idx: status.index, uri: status.uri } } }),
    ...bound,
  };
}

function controlClaim({ method, checkedAt }: ControlSnapshot): ControlClaim {
  return checkedAt === undefined ? { method } : { method, checkedAt: inSeconds(new Date(checkedAt)) };
}

function inSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
