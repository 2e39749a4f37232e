import type { Candidates } from '../candidates.ts';
import type { HtmlDocument } from '../dom/document.ts';
import type { PageIndex } from '../dom/page-index.ts';
import { structuredPrice } from '../from-records.ts';
import { isNode } from '../schema-org/node.ts';
import { currencyOf, type Locale } from '../values/currency.ts';
import { brandText, skuText } from '../values/labels.ts';
import { findStateProduct, type StateProduct } from './products.ts';
import { type EmbeddedState, embeddedStates } from './sources.ts';

/** Weights as structured data, a little below markup that is made for readers (docs/decisions/0045). */
const WEIGHT = 0.65;

/** Adds what the page's embedded data states of its product, where one of the main facts is still without a source. */
export function addState(
  doc: HtmlDocument,
  index: PageIndex,
  names: readonly string[],
  locale: Locale,
  out: Candidates,
): void {
  if (isComplete(out)) return;
  let best: StateProduct | undefined;
  for (const state of embeddedStates(doc, index)) {
    addVariations(state, out);
    const product = findStateProduct(state, names);
    if (product !== undefined && product.certainty > (best?.certainty ?? 0)) best = product;
  }
  if (best !== undefined) addProduct(best, locale, out);
}

function isComplete({ price, availability, sku }: Candidates): boolean {
  return [price, availability, sku].every((candidates) => candidates.length > 0);
}

function addProduct(product: StateProduct, locale: Locale, out: Candidates): void {
  const { origin } = product;
  const give = (
    name: 'price' | 'currency' | 'availability' | 'sku' | 'brand',
    key: string,
    value: string | undefined,
  ): void => {
    if (value !== undefined)
      out[name].push({ value, source: 'html', field: `${origin}:${key}`, weight: WEIGHT });
  };
  const price = product.price === undefined ? undefined : structuredPrice(product.price);
  give('price', 'price', price);
  if (price !== undefined && product.currency !== undefined) {
    give('currency', 'currency', currencyOf(product.currency, locale)?.iso);
  }
  give('sku', 'sku', product.sku === undefined ? undefined : skuText(product.sku));
  give('brand', 'brand', product.brand === undefined ? undefined : brandText(product.brand));
  if (product.available !== undefined)
    give('availability', 'available', product.available ? 'InStock' : 'OutOfStock');
}

const VARIATIONS = 'woocommerce:variations';

/** WooCommerce's variation form: what all variations share. */
function addVariations(state: EmbeddedState, out: Candidates): void {
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
  if (typeof price === 'number' && price > 0) {
    out.price.push({
      value: String(price),
      source: 'html',
      field: `${VARIATIONS}.display_price`,
      weight: WEIGHT,
    });
  }
  if (variations.some((variation) => variation.is_in_stock === true)) {
    out.availability.push({
      value: 'InStock',
      source: 'html',
      field: `${VARIATIONS}.is_in_stock`,
      weight: WEIGHT,
    });
  } else if (shared('is_in_stock') === false) {
    out.availability.push({
      value: 'OutOfStock',
      source: 'html',
      field: `${VARIATIONS}.is_in_stock`,
      weight: WEIGHT,
    });
  }
}
