import type { Draft } from './draft.ts';
import { handleUrl } from './store-url.ts';
import type { CatalogueNote } from './types.ts';
import { identifier, isRecord, type JsonRecord, line, records } from './values.ts';

/** A product of a storefront's `/products.json` or of the Admin REST API. */
export function isShopifyProduct(value: JsonRecord): boolean {
  return 'handle' in value && 'title' in value && !('permalink' in value);
}

export function shopifyDraft(value: JsonRecord, store: URL): Draft {
  const handle = line(value.handle);
  const variants = records(value.variants);
  return {
    externalProductId: identifier(value.id),
    name: line(value.title),
    url: handle === undefined ? undefined : handleUrl(store, handle),
    skus: variants.map((variant) => variant.sku),
    barcodes: variants.map((variant) => variant.barcode),
    ...shopifyBrand(value.vendor),
    visible: visibility(value),
    images: imagesOf(value.images),
    attributes: [{ name: 'productType', value: line(value.product_type ?? value.type) }],
  };
}

/** The vendor as brand, unless it is "My Store", Shopify's placeholder until the merchant names the shop. */
export function shopifyBrand(value: unknown): { brand?: string; notes?: readonly CatalogueNote[] } {
  const vendor = line(value);
  if (vendor === undefined) return {};
  if (vendor.toLowerCase() === 'my store')
    return { notes: [{ code: 'vendor_is_placeholder', detail: vendor }] };
  return { brand: vendor };
}

/** The storefront lists only published products; in the Admin API either of two members can hide one. */
function visibility(value: JsonRecord): boolean | undefined {
  if (typeof value.status === 'string' && value.status.toLowerCase() !== 'active') return false;
  if (value.published_at === null) return false;
  return typeof value.published_at === 'string' ? true : undefined;
}

/** Objects with `src`, or bare addresses (`/products/<handle>.js`); by position where all have one. */
function imagesOf(value: unknown): Draft['images'] {
  if (!Array.isArray(value)) return [];
  const images = value.map((image) =>
    isRecord(image)
      ? { url: image.src, externalId: image.id, position: image.position }
      : { url: image, position: undefined },
  );
  const placed = images.every((image) => typeof image.position === 'number');
  if (placed) images.sort((a, b) => Number(a.position) - Number(b.position));
  return images;
}
