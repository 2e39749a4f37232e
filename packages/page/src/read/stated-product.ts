import type { PageReading } from '../types.ts';

/** What a page states of its product, as far as a catalogue takes it. */
export interface StatedProduct {
  readonly name: string | undefined;
  readonly sku: string | undefined;
  readonly brand: string | undefined;
  readonly images: readonly string[];
  readonly canonicalUrl: string | undefined;
}

/**
 * The product of a page, for whoever reads a catalogue off its pages.
 *
 * @returns `null` for a page that states none: a name alone, or one that is only the title of the page, makes no product
 * @example
 * ```ts
 * import { readPage, statedProduct } from '@touchstone/page/read';
 *
 * const node = '{"@type":"Product","name":"Cup","sku":"C-1","offers":{"price":"9.00","priceCurrency":"EUR"}}';
 * const html = `<html><head><script type="application/ld+json">${node}</script></head><body></body></html>`;
 * statedProduct(readPage(html, { url: 'https://shop.example/cup' }))?.sku; // 'C-1'
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
