import type { PageReading } from '@touchstone/page/document';

/** The product of a page, with the fields that a catalogue imports. */
export interface StatedProduct {
  readonly name: string | undefined;
  readonly sku: string | undefined;
  readonly brand: string | undefined;
  readonly images: readonly string[];
  readonly canonicalUrl: string | undefined;
}

/**
 * Extracts the product from a page's reading, for example to import a catalogue from a shop's pages.
 *
 * @returns `null` if the page states no product: no name, or neither a price nor a name in JSON-LD
 * @example
 * ```ts
 * import { readFacts, statedProduct } from '@touchstone/facts';
 * import { readPage } from '@touchstone/page/read';
 *
 * const node = '{"@type":"Product","name":"Cup","sku":"C-1","offers":{"price":"9.00","priceCurrency":"EUR"}}';
 * const html = `<html><head><script type="application/ld+json">${node}</script></head><body></body></html>`;
 * statedProduct(readPage(html, { url: 'https://shop.example/cup' }, readFacts))?.sku; // 'C-1'
 * ```
 */
export function statedProduct({ facts, canonicalUrl }: PageReading): StatedProduct | null {
  const { name, price, sku, brand, images } = facts;
  if (name === null || (price === null && name.source !== 'jsonld')) return null;
  return {
    name: name.value,
    sku: sku?.value,
    brand: brand?.value,
    images: images.map(({ value }) => value),
    canonicalUrl: canonicalUrl ?? undefined,
  };
}
