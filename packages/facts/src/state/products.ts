import { isNode, type Node, type Work } from '@touchstone/page/document';
import { SCORE } from '../weights.ts';
import type { EmbeddedState } from './sources.ts';
import { asProduct, countsInCents, openVariant, titleOfVariants } from './variants.ts';

/** A product in embedded data, with raw values. */
export interface StateProduct {
  readonly origin: string;
  readonly name?: string;
  readonly price?: string;
  readonly currency?: string;
  readonly sku?: string;
  readonly brand?: string;
  readonly available?: boolean;
  /** Score of being the page's product (`SCORE.embedded`), 0 to 1. */
  readonly certainty: number;
}

const MAX_NODES = 30_000;

/** Agreement of a name with the page's names, 0 to 1. */
export type AgreementOf = (name: string) => number;

/**
 * Finds the page's product in embedded data: the best object whose name agrees with the page's names and that has a
 * price, an article number or a brand.
 */
export function findStateProduct(
  state: EmbeddedState,
  agreementOf: AgreementOf,
  wanted: string | undefined,
  work: Work,
): StateProduct | undefined {
  let best: StateProduct | undefined;
  const stack: { value: unknown; detail: boolean; currency: string | undefined; depth: number }[] = [
    { value: state.value, detail: false, currency: undefined, depth: 0 },
  ];
  for (let count = 0; stack.length > 0 && count < MAX_NODES; count++) {
    work.spend();
    const { value: found, detail, currency, depth } = stack.pop() as (typeof stack)[number];
    const value = asProduct(found);
    if (Array.isArray(value)) {
      for (const entry of value.slice(0, 500).toReversed())
        stack.push({ value: entry, detail, currency, depth: depth + 1 });
    } else if (isNode(value) && depth < 30) {
      const own = text(value, CURRENCIES) ?? currency;
      const product = readObject(value, state.origin, agreementOf, { detail, currency: own, wanted });
      if (product !== undefined && product.certainty > (best?.certainty ?? 0)) best = product;
      // variants have already been read with their product
      if (titleOfVariants(value) !== undefined) continue;
      for (const [key, child] of Object.entries(value).toReversed()) {
        if (typeof child !== 'object' || child === null || OTHERS.test(key)) continue;
        stack.push({ value: child, detail: detail || DETAILS.test(key), currency: own, depth: depth + 1 });
      }
    }
  }
  return best;
}

interface ObjectContext {
  readonly detail: boolean;
  /** Stated by the object or an ancestor. */
  readonly currency: string | undefined;
  /** Id of the variant that the page opens with or that its URL names. */
  readonly wanted: string | undefined;
}

function readObject(
  node: Node,
  origin: string,
  agreementOf: AgreementOf,
  { detail, currency, wanted }: ObjectContext,
): StateProduct | undefined {
  const name = titleOfVariants(node) ?? text(node, NAMES);
  if (name === undefined || name.length < 3) return undefined;
  const agreement = agreementOf(name);
  if (agreement < SCORE.embedded.leastAgreement) return undefined;
  const open = openVariant(node, wanted);
  const price: StatePrice | undefined =
    open === undefined ? priceOf(node) : open.price === undefined ? undefined : { amount: open.price };
  const inCurrency = open?.currency ?? price?.currency ?? currency;
  const sku = open?.sku ?? skuOf(node, origin);
  const brand = brandOf(node) ?? (isNode(node.product) ? brandOf(node.product) : undefined);
  if (price === undefined && brand === undefined && sku === undefined) return undefined;
  const available = open?.available ?? availableOf(node);
  const weights = SCORE.embedded;
  const parts = [price, sku, brand, available].filter((part) => part !== undefined).length;
  return {
    origin,
    name,
    certainty: agreement * weights.agreement + (detail ? weights.detail : 0) + parts * weights.part,
    ...(price !== undefined && { price: price.amount }),
    ...(price !== undefined && inCurrency !== undefined && { currency: inCurrency }),
    ...(sku !== undefined && { sku }),
    ...(brand !== undefined && { brand }),
    ...(available !== undefined && { available }),
  };
}

/** In a data layer, `id` is the article number; elsewhere, a plain number there is a database id. */
function skuOf(node: Node, origin: string): string | undefined {
  if (countsInCents(node)) return text(node, ['sku']);
  const sku = text(node, SKUS);
  if (sku !== undefined) return sku;
  const id = text(node, ['id']);
  return id === undefined || (origin !== 'dataLayer' && !ARTICLE_CODE.test(id)) ? undefined : id;
}

/** A code with capitals and digits, but no UUID, URL or database key. */
const ARTICLE_CODE = /^(?=.*\d)(?=.*[A-Z])[A-Z\d][A-Z\d._/-]{2,30}$/;

interface StatePrice {
  readonly amount: string;
  readonly currency?: string;
}

/** Reads a price. Shopify's objects state whole numbers in cents; a price may also be an object with amount and currency. */
function priceOf(node: Node): StatePrice | undefined {
  for (const key of PRICES) {
    if (!Object.hasOwn(node, key)) continue;
    const value = node[key];
    if (Number.isInteger(value) && countsInCents(node))
      return { amount: ((value as number) / 100).toFixed(2) };
    const amount = scalarText(value) ?? (isNode(value) ? text(value, AMOUNTS) : undefined);
    if (amount === undefined || !/\d/.test(amount)) continue;
    const currency = isNode(value) ? text(value, CURRENCIES) : undefined;
    return { amount, ...(currency !== undefined && { currency }) };
  }
  return undefined;
}

function brandOf(node: Node): string | undefined {
  for (const key of BRANDS) {
    if (!Object.hasOwn(node, key)) continue;
    const value = node[key];
    const name =
      typeof value === 'string'
        ? value
        : isNode(value)
          ? text(value, ['name', 'title', 'label', 'displayName'])
          : undefined;
    if (name !== undefined && name.trim() !== '') return name;
  }
  return undefined;
}

function availableOf(node: Node): boolean | undefined {
  for (const key of AVAILABILITIES) {
    if (typeof node[key] === 'boolean' && Object.hasOwn(node, key)) return node[key];
  }
  return undefined;
}

function text(node: Node, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(node, key) ? scalarText(node[key]) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** Keys that shops' scripts use for the fields of a product, the most reliable first. */
export const NAMES = [
  'name',
  'title',
  'productName',
  'product_name',
  'item_name',
  'content_name',
  'displayName',
  'productTitle',
  'product_title',
] as const;
export const PRICES = [
  'salePrice',
  'sale_price',
  'specialPrice',
  'finalPrice',
  'final_price',
  'currentPrice',
  'current_price',
  'display_price',
  'priceWithTax',
  'price',
  'productPrice',
  'product_price',
  'value',
  'unitPrice',
  'sellingPrice',
] as const;
export const SKUS = [
  'sku',
  'productSku',
  'product_sku',
  'articleNumber',
  'reference',
  'itemNumber',
  'productCode',
  'product_code',
  'code',
  'item_id',
  'productId',
  'product_id',
] as const;
export const BRANDS = [
  'brand',
  'brandName',
  'brand_name',
  'vendor',
  'manufacturer',
  'item_brand',
  'product_brand',
  'marke',
] as const;
export const CURRENCIES = [
  'currency',
  'currencyCode',
  'currency_code',
  'priceCurrency',
  'currencyIso',
] as const;
/** Keys below which there are other products than the page's. */
export const OTHERS =
  /impression|related|recommend|similar|upsell|crosssell|cross_sell|wishlist|cart|basket|recently|carousel|promo|category|breadcrumb|menu|search|listing|bestseller|review/i;
/** Keys below which product pages have their product. */
export const DETAILS =
  /^(?:product|products|detail|item|items|pdp|ecommerce|currentProduct|selectedProduct|productDetails?)$/;
export const AMOUNTS = ['amount', 'value', 'current', 'price', 'sale', 'gross'] as const;
export const AVAILABILITIES = [
  'available',
  'is_in_stock',
  'inStock',
  'in_stock',
  'isAvailable',
  'isInStock',
  'orderable',
  'buyable',
  'purchasable',
] as const;
