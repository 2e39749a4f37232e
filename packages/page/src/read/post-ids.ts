import type { Platform } from '../types.ts';
import type { PageIndex } from './dom/page-index.ts';
import type { FactCandidate } from './fact-candidates.ts';

/** What identifies the ids that a shop's software gave its records. */
export interface IdView {
  readonly index: PageIndex;
  readonly platform: Platform;
  readonly bodyClass: string;
}

/**
 * Without numbers that are WordPress's id of the product's post: WooCommerce states it where a product has no article
 * number. One that the page prints behind a label is kept. (For Shopify's ids, see `OpenedVariant.ids`.)
 */
export function withoutPostIds(view: IdView, skus: readonly FactCandidate[]): FactCandidate[] {
  if (view.platform !== 'woocommerce') return [...skus];
  const labelled = new Set(skus.flatMap(({ value, field }) => (field.startsWith('text:') ? value : [])));
  return skus.filter(({ value }) => labelled.has(value) || !isPostId(view, value));
}

/** WordPress names its record in the class of the body, WooCommerce on the product's box. */
function isPostId({ index, bodyClass }: IdView, value: string): boolean {
  if (!/^\d{1,15}$/.test(value)) return false;
  return bodyClass.split(/\s+/).includes(`postid-${value}`) || index.byId.has(`product-${value}`);
}
