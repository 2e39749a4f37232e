import type { Platform } from '../types.ts';
import type { HtmlDocument } from './dom/document.ts';
import type { PageIndex } from './dom/page-index.ts';
import type { MetaMap } from './metas.ts';

/**
 * Detects the storefront platform by signals that do not depend on the theme. One strong signal decides, or two weak
 * ones; a single weak one may come from a link to another shop.
 */
export function detectPlatform(signals: string, source: string, metas: MetaMap, bodyClass: string): Platform {
  // every signal of Shopify contains one of these two, and most pages contain neither
  const shopify = signals.includes('hopify') || signals.includes('/cdn/shop/') ? score(signals, SHOPIFY) : 0;
  const generator = (metas.get('generator') ?? []).join(' ').toLowerCase();
  const woocommerce =
    score(signals, WOOCOMMERCE) +
    (generator.includes('woocommerce') ? STRONG : 0) +
    (/(?:^|\s)(?:woocommerce(?:-page|-no-js|-js)?|theme-\S+ woocommerce\S*)(?:\s|$)/.test(bodyClass)
      ? STRONG
      : 0) +
    (generator.includes('wordpress') ? WEAK / 2 : 0) +
    (/\/wp-(?:content|includes)\//.test(signals) && MERGED.some((name) => source.includes(name))
      ? STRONG
      : 0) +
    (metas.has('shopify-checkout-api-token') ? -STRONG : 0);
  const shop =
    shopify + (metas.has('shopify-checkout-api-token') || metas.has('shopify-digital-wallet') ? STRONG : 0);
  if (shop >= STRONG && shop >= woocommerce) return 'shopify';
  return woocommerce >= STRONG ? 'woocommerce' : 'custom';
}

/** Traces of WooCommerce in markup whose scripts and styles an optimiser has merged. */
const MERGED = [
  'woocommerce-product-gallery',
  'single_add_to_cart_button',
  'woocommerce-Price-amount',
  'wc-block-components',
];

/** Scores of signals: one strong signal decides, or two weak ones. */
const STRONG = 2;
const WEAK = 1;

const SHOPIFY: readonly (readonly [string, number])[] = [
  ['Shopify.theme', STRONG],
  ['Shopify.shop', STRONG],
  ['ShopifyAnalytics', STRONG],
  ['window.Shopify', WEAK],
  ['cdn.shopify.com/s/files/', WEAK],
  ['/cdn/shop/', WEAK],
  ['shopify-section', WEAK],
  ['myshopify.com', WEAK],
  ['shopify-features', STRONG],
  ['cdn.shopify.com/shopifycloud', WEAK],
];

const WOOCOMMERCE: readonly (readonly [string, number])[] = [
  ['/wp-content/plugins/woocommerce/', STRONG],
  ['woocommerce-product-gallery', STRONG],
  ['wc_add_to_cart_params', STRONG],
  ['woocommerce_params', STRONG],
  ['woocommerce-Price-amount', WEAK],
  ['wc-block-', WEAK],
  ['single_add_to_cart_button', WEAK],
  ['/wp-content/', WEAK / 2],
];

function score(html: string, signals: readonly (readonly [string, number])[]): number {
  let sum = 0;
  for (const [signal, weight] of signals) if (html.includes(signal)) sum += weight;
  return sum;
}

const MAX_SIGNALS = 60_000;
const SCRIPT_HEAD = 1_500;

/**
 * Parts of a page that identify the software serving it, in one string: URLs and ids of scripts and links, and the
 * beginnings of inline scripts. Platform and gate are detected in it instead of in the whole page.
 */
export function signalText(doc: HtmlDocument, index: PageIndex): string {
  const parts: string[] = [];
  let length = 0;
  const push = (text: string | undefined): void => {
    if (text === undefined || length > MAX_SIGNALS) return;
    parts.push(text);
    length += text.length;
  };
  for (const link of index.links) push(doc.attr(link, 'href')?.slice(0, 300));
  for (const script of index.scripts) {
    const src = doc.attr(script, 'src');
    push(
      src === undefined
        ? doc.source.slice(script.innerFrom, Math.min(script.innerTo, script.innerFrom + SCRIPT_HEAD))
        : src.slice(0, 300),
    );
    push(doc.attr(script, 'id')?.slice(0, 100));
  }
  return parts.join('\n');
}
