import type { PageIndex, Platform } from '@touchstone/page/document';
import type { FactCandidate } from './fact-candidates.ts';

export interface IdView {
  readonly index: PageIndex;
  readonly platform: Platform;
  readonly bodyClass: string;
}

/**
 * Removes candidates that are the WordPress post id of the product, which WooCommerce states if a product has no article
 * number. A number that the page prints after a label is kept. (For Shopify's ids, see `OpenedVariant.ids`.)
 */
export function withoutPostIds(view: IdView, skus: readonly FactCandidate[]): FactCandidate[] {
  if (view.platform !== 'woocommerce') return [...skus];
  const labelled = new Set(skus.flatMap(({ value, field }) => (field.startsWith('text:') ? value : [])));
  return skus.filter(({ value }) => labelled.has(value) || !isPostId(view, value));
}

/** WordPress puts the post id into a class of `<body>`, WooCommerce into the id of the product's element. */
function isPostId({ index, bodyClass }: IdView, value: string): boolean {
  if (!/^\d{1,15}$/.test(value)) return false;
  return bodyClass.split(/\s+/).includes(`postid-${value}`) || index.byId.has(`product-${value}`);
}
