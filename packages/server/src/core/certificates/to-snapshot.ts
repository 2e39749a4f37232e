import type { ImageCredentials, ImageDetails, ImageSnapshot, ProductSnapshot } from '@touchstone/certificate';
import { PRICE_PROPERTIES } from '@touchstone/certificate/agreement';
import { hostOf } from '@touchstone/certificate/binding';
import { getBlob, pathOf } from '@touchstone/contract';
import type { ImageRow, SnapshotRow } from './snapshot-rows.ts';

export function toSnapshot(row: SnapshotRow, images: readonly ImageSnapshot[]): ProductSnapshot {
  return {
    productId: row.id,
    externalProductId: row.external_product_id,
    name: row.name,
    // as browsers write it (WHATWG URL); only the registry shows the merchant's spelling
    url: new URL(row.url).href,
    domain: row.host,
    storeName: row.store_name,
    storeUrl: storeUrlOf(row),
    ...(row.sku === null ? {} : { sku: row.sku }),
    ...(row.gtin === null ? {} : { gtin: row.gtin }),
    ...(row.brand === null ? {} : { brand: row.brand }),
    attributes: attributesOf(row),
    control: row.control,
    images,
  };
}

const PRICE_NAMES: ReadonlySet<string> = new Set(Object.values(PRICE_PROPERTIES));

/**
 * With the price and its day, if the store signs prices: among the attributes, so that nodes of the last release make the same
 * document of the snapshot. Attributes of these names then yield to it.
 */
function attributesOf({ attributes, price, priced_at: pricedAt, sign_prices: isSigned }: SnapshotRow) {
  if (!isSigned || price === null || pricedAt === null) return attributes;
  const { amount, currency, includesTax } = price;
  const of = (name: keyof typeof PRICE_PROPERTIES, value: string) => ({
    name: PRICE_PROPERTIES[name],
    value,
  });
  return [
    ...attributes.filter(({ name }) => !PRICE_NAMES.has(name)),
    of('amount', amount),
    of('currency', currency),
    of('since', pricedAt.toISOString().slice(0, 10)),
    ...(includesTax === undefined ? [] : [of('includesTax', String(includesTax))]),
  ];
}

/** The address of the store, unless its host has been proven by another merchant: then the origin of the page. */
function storeUrlOf({ store_url: address, url, domains }: SnapshotRow): string {
  const host = hostOf(address);
  return domains.some(({ hostname }) => hostname === host) ? address : new URL(url).origin;
}

export function toImage(row: ImageRow): ImageSnapshot {
  return {
    imageId: row.id,
    contentUrl: row.url,
    ...(row.media_type === null ? {} : { encodingFormat: row.media_type }),
    ...(row.width === null ? {} : { width: row.width }),
    ...(row.height === null ? {} : { height: row.height }),
    ...(row.upload_date === null ? {} : { uploadDate: new Date(row.upload_date).toISOString() }),
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    ...(row.credentials === null ? {} : { credentials: credentialsOf(row, row.credentials) }),
    ...(row.given_up ? { givenUp: true } : {}),
  };
}

/** Files not scanned yet count as images. */
export function isImage({ media_type: mediaType }: ImageRow): boolean {
  return mediaType === null || mediaType.startsWith('image/');
}

/** With the file that the shop served at the last scan. */
function credentialsOf(
  { blob_key: key, source_uhash: source }: ImageRow,
  credentials: ImageCredentials,
): ImageCredentials {
  if (key === null || source === null) return credentials;
  const certified = uhashOfKey(key);
  if (certified === source) return { ...credentials, served: 'certified' };
  // only together with the hash of the certified file, so that both can be compared
  const hash = credentials.hashes === undefined ? {} : { sourceUhash: source };
  return { ...credentials, ...hash, served: 'source' };
}

/** A blob is named by the SHA-256 of its bytes. */
const uhashOfKey = (key: string) => key.slice(0, key.indexOf('.'));

/** What only an image's own certificates contain. Further findings about its bytes belong here. */
export function detailsOf(row: ImageRow): ImageDetails {
  const { nft, credentials, blob_key, trust } = row;
  return {
    updatedAt: new Date(row.scanned_at ?? row.created_at).toISOString(),
    ...(blob_key === null ? {} : { assetPath: pathOf(getBlob, { blob: blob_key }) }),
    ...(trust === null ? {} : { signerTrust: trust }),
    // a token is about the bytes it was minted for, and no others
    ...(nft?.standard === undefined || nft.uhash !== credentials?.hashes?.uhash ? {} : { nft }),
  };
}
