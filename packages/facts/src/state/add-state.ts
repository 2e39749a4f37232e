import {
  cleanText,
  type Findings,
  type HtmlDocument,
  isNode,
  type PageIndex,
} from '@touchstone/page/document';
import { addUnread, type FactCandidates } from '../fact-candidates.ts';
import { agreementWith } from '../main-product.ts';
import { currencyOf, type Locale } from '../values/currency.ts';
import { rangeIn, statedPrice } from '../values/price.ts';
import { brandText, isBrandCode, skuText } from '../values/text.ts';
import { CHOICE, EMBEDDED, OPENED_VARIANT, RECORD_SHARE, SHOWN_PRICE } from '../weights.ts';
import type { OpenedVariant } from './opened-variant.ts';
import { findStateProduct, type StateProduct } from './products.ts';
import { type EmbeddedState, embeddedStates } from './sources.ts';

/** The page, and the data that identifies its product among the embedded ones. */
export interface StateInput {
  readonly doc: HtmlDocument;
  readonly index: PageIndex;
  readonly names: readonly string[];
  readonly url: string;
  readonly opened: OpenedVariant | undefined;
  readonly locale: Locale;
  readonly findings: Findings;
}

/** Adds candidates from the page's embedded data if one of the main facts has no certain source yet. */
export function addState(input: StateInput, out: FactCandidates): void {
  addEmbedded(input, out);
  addShopCurrency(input, out);
}

function addEmbedded(input: StateInput, out: FactCandidates): void {
  const { doc, index, names, url, opened } = input;
  if (isComplete(out)) return;
  const wanted = opened?.id ?? URL.parse(url)?.searchParams.get('variant') ?? undefined;
  const agreementOf = agreementWith(names);
  const found: StateProduct[] = [];
  for (const state of embeddedStates(doc, index)) {
    addVariations(state, out);
    const product = findStateProduct(state, agreementOf, wanted, doc.work);
    if (product !== undefined) found.push(product);
  }
  const [best, ...others] = found.toSorted((a, b) => b.certainty - a.certainty);
  if (best !== undefined) addProduct(others.reduce(completed, best), input, out);
}

/** Fills gaps from another object of the same convention, if it has the same name and price: no single object is complete. */
function completed(best: StateProduct, other: StateProduct): StateProduct {
  const same = other.origin === best.origin && other.name === best.name && other.price === best.price;
  return same ? { ...other, ...best } : best;
}

/** Adds candidates from the data of a Shopify page about the variant that it opens with. */
export function addOpenedVariant(opened: OpenedVariant, locale: Locale, out: FactCandidates): void {
  const weight: number = OPENED_VARIANT[opened.chosenBy];
  const give = (
    name: 'price' | 'currency' | 'sku' | 'brand',
    key: string,
    value: string | undefined,
    share = weight,
  ) => {
    if (value !== undefined)
      out[name].push({ value, source: 'html', field: `shopify:variant.${key}`, weight: share });
  };
  const price = opened.price === undefined ? undefined : statedPrice(opened.price);
  give(
    'price',
    'price',
    price,
    price !== undefined && Number(price) === 0 ? EMBEDDED * RECORD_SHARE.zero : weight,
  );
  if (opened.currency !== undefined) give('currency', 'currency', currencyOf(opened.currency, locale)?.iso);
  give('sku', 'sku', opened.sku === undefined ? undefined : (skuText(opened.sku) ?? wordySku(opened.sku)));
  if (opened.available !== undefined)
    out.availability.push({
      value: opened.available ? 'InStock' : 'OutOfStock',
      source: 'html',
      field: 'shopify:variant.available',
      weight,
    });
  give('brand', 'vendor', opened.vendor === undefined ? undefined : brandText(opened.vendor), EMBEDDED);
}

/** Accepts an article number of more than five words: in other places, that would be a description. */
function wordySku(text: string): string | undefined {
  const sku = cleanText(text, LONGEST_SKU + 1);
  return sku.length <= LONGEST_SKU && sku.split(' ').length > 5 ? sku : undefined;
}

const LONGEST_SKU = 64;

const SHOPIFY_CURRENCY =
  /\bShopify\.currency\s*=\s*\{\s*"active"\s*:\s*"([A-Z]{3})"|\bShopifyAnalytics\.meta\.currency\s*=\s*['"]([A-Z]{3})['"]/;
const LONGEST_SETTING = 20_000;

/** Adds the currency of a Shopify page, because its prices often have only `$`. */
function addShopCurrency({ doc, index }: StateInput, out: FactCandidates): void {
  if (out.price.length === 0 || out.currency.some(({ weight }) => weight >= CHOICE.sureCurrency)) return;
  for (const script of index.scripts) {
    if (script.innerTo - script.innerFrom > LONGEST_SETTING) continue;
    const found = SHOPIFY_CURRENCY.exec(doc.inner(script));
    const value = found?.[1] ?? found?.[2];
    if (value === undefined) continue;
    out.currency.push({ value, source: 'html', field: 'shopify:currency', weight: EMBEDDED });
    return;
  }
}

/** Embedded prices yield to a different, surely printed one: they may be another variant's, or before discount or tax. */
function priceWeight(price: string, { price: candidates }: FactCandidates): number {
  if (Number(price) === 0) return EMBEDDED * RECORD_SHARE.zero;
  const printed = candidates.find(({ field }) => field === 'text:price');
  const other =
    printed !== undefined && printed.weight >= SHOWN_PRICE.sure && Number(printed.value) !== Number(price);
  return other ? SHOWN_PRICE.weak : EMBEDDED;
}

function isComplete({ price, currency, availability, sku }: FactCandidates): boolean {
  return (
    [price, sku].every((candidates) => candidates.length > 0) &&
    // an availability inferred from a buy button may be contradicted by embedded data
    availability.some(({ inferred }) => inferred !== true) &&
    currency.some(({ weight }) => weight >= CHOICE.sureCurrency)
  );
}

function addProduct(product: StateProduct, { locale, findings }: StateInput, out: FactCandidates): void {
  const { origin } = product;
  const give = (
    name: 'currency' | 'availability' | 'sku' | 'brand',
    key: string,
    value: string | undefined,
  ): void => {
    if (value !== undefined)
      out[name].push({ value, source: 'html', field: `${origin}:${key}`, weight: EMBEDDED });
  };
  const price = product.price === undefined ? undefined : statedPrice(product.price);
  const range = product.price === undefined ? undefined : rangeIn(product.price);
  if (price !== undefined)
    out.price.push({
      value: price,
      source: 'html',
      field: `${origin}:price`,
      weight: priceWeight(price, out),
      ...(range !== undefined && { range }),
    });
  else if (product.price !== undefined)
    addUnread(findings, 'price', { value: product.price, source: 'html', field: `${origin}:price` });
  if (price !== undefined && product.currency !== undefined) {
    give('currency', 'currency', currencyOf(product.currency, locale)?.iso);
  }
  give('sku', 'sku', product.sku === undefined ? undefined : skuText(product.sku));
  const brand = product.brand === undefined ? undefined : brandText(product.brand);
  give('brand', 'brand', brand !== undefined && isBrandCode(brand) ? undefined : brand);
  if (product.available !== undefined)
    give('availability', 'available', product.available ? 'InStock' : 'OutOfStock');
}

const VARIATIONS = 'woocommerce:variations';

/** Adds price and availability from WooCommerce's variation form: values shared by all variations, or stock of any. */
function addVariations(state: EmbeddedState, out: FactCandidates): void {
  if (state.origin !== 'woocommerce' || !Array.isArray(state.value)) return;
  const variations = state.value.filter(isNode);
  if (variations.length === 0) return;
  const shared = (key: string): unknown => {
    const [first] = variations;
    return first !== undefined && variations.every((variation) => variation[key] === first[key])
      ? first[key]
      : undefined;
  };
  const price = shared('display_price');
  if (typeof price === 'number' && price >= 0) {
    out.price.push({
      value: String(price),
      source: 'html',
      field: `${VARIATIONS}.display_price`,
      weight: priceWeight(String(price), out),
    });
  }
  if (variations.some((variation) => variation.is_in_stock === true)) {
    out.availability.push({
      value: 'InStock',
      source: 'html',
      field: `${VARIATIONS}.is_in_stock`,
      weight: EMBEDDED,
    });
  } else if (shared('is_in_stock') === false) {
    out.availability.push({
      value: 'OutOfStock',
      source: 'html',
      field: `${VARIATIONS}.is_in_stock`,
      weight: EMBEDDED,
    });
  }
}
