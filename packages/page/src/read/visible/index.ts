import type { Candidates } from '../candidates.ts';
import type { HtmlDocument } from '../dom/document.ts';
import type { PageIndex } from '../dom/page-index.ts';
import type { PageLinks } from '../links.ts';
import type { Locale } from '../values/currency.ts';
import { availabilityCandidates } from './availability.ts';
import { Surroundings } from './context.ts';
import { labelCandidates } from './labels.ts';
import { priceCandidates, visiblePrices } from './price.ts';
import { findRegion } from './region.ts';

export interface VisibleInput {
  readonly doc: HtmlDocument;
  readonly index: PageIndex;
  readonly links: PageLinks;
  readonly locale: Locale;
  /** Folded names of the page: title, `og:title`, words of its address. */
  readonly names: readonly string[];
  readonly ownKeys: ReadonlySet<string>;
}

/** Adds what the page shows near the heading that names the product. */
export function addVisible(input: VisibleInput, out: Candidates): void {
  const around = new Surroundings(input.doc, input.links, input.ownKeys);
  const region = findRegion(input.doc, input.index, around, input.names);
  if (region === undefined) return;
  const prices = visiblePrices(region, input.locale);
  const availability = availabilityCandidates(region);
  const outOfStock = [...out.availability, ...availability][0]?.value === 'OutOfStock';
  const stated = out.price.toSorted((a, b) => b.weight - a.weight)[0]?.value;
  const { price, currency } = priceCandidates(prices, stated, outOfStock);
  out.price.push(...price);
  out.currency.push(...currency);
  out.availability.push(...availability);
  const { sku, brand } = labelCandidates(region);
  out.sku.push(...sku);
  out.brand.push(...brand);
}
