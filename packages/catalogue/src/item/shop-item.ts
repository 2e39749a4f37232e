import { type JsonShape, shapeOfProduct } from '../detect.ts';
import { draftOf } from '../read-json.ts';
import { isRecord, type JsonRecord, records } from '../values.ts';
import { fromMinor } from './protocol-item.ts';
import type { ItemDraft, ItemPrice } from './types.ts';

/** Members that are read, by shape. */
const READ: Readonly<Record<JsonShape, readonly string[]>> = {
  'shopify-json': ['id', 'title', 'handle', 'vendor', 'variants', 'images', 'image', 'options'],
  'woocommerce-store-api': [
    'id',
    'name',
    'permalink',
    'sku',
    'global_unique_id',
    'brands',
    'images',
    'prices',
  ],
  'woocommerce-rest-v3': ['id', 'name', 'permalink', 'sku', 'global_unique_id', 'brands', 'images'],
  registry: ['externalProductId', 'name', 'url', 'sku', 'gtin', 'brand', 'images', 'price', 'availability'],
};

/** No shop: its addresses are dropped. */
const NOWHERE = new URL('https://invalid.');

/**
 * A product as the platform of its shop lists it.
 *
 * @param store - where the shop is; Shopify's products have no addresses of their own
 * @returns `undefined` if it is none
 */
export function shopDraft(value: JsonRecord, store: URL | null): ItemDraft | undefined {
  const shape = shapeOfProduct(value);
  if (shape === null) return undefined;
  const draft = draftOf(shape, value, store ?? NOWHERE);
  const prices = shape === 'woocommerce-store-api' ? storePrices(value.prices) : [draft.price];
  const isPriced = 'price' in value || records(value.variants).some((variant) => 'price' in variant);
  return {
    id: draft.externalProductId,
    link: shape === 'shopify-json' && store === null ? undefined : draft.url,
    name: draft.name,
    brands: [draft.brand],
    skus: draft.skus,
    gtins: draft.barcodes,
    pictures: draft.images,
    prices,
    availability: draft.availability,
    read: READ[shape],
    // these platforms state prices without their currency
    unread: isPriced && prices.every((price) => price === undefined) ? ['price'] : [],
  };
}

/** Prices of the Store API are in minor units, a range if variations differ. */
function storePrices(prices: unknown): (ItemPrice | undefined)[] {
  if (!isRecord(prices)) return [];
  const { price, price_range: range, currency_code: currency, currency_minor_unit: decimals } = prices;
  const amounts = isRecord(range) ? [range.min_amount, range.max_amount] : [price];
  return amounts.map((amount) => {
    if (!/^\d{1,16}$/.test(String(amount)) || typeof currency !== 'string') return undefined;
    return { amount: fromMinor(String(amount), Number.isInteger(decimals) ? Number(decimals) : 2), currency };
  });
}
