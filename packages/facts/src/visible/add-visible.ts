import {
  cleanText,
  type Findings,
  type HtmlDocument,
  type PageIndex,
  type PageLinks,
} from '@touchstone/page/document';
import { BOUNDS } from '../bounds.ts';
import { addUnread, type FactCandidates } from '../fact-candidates.ts';
import type { Locale } from '../values/currency.ts';
import { SHOWN_NAME } from '../weights.ts';
import { availabilityCandidates } from './availability.ts';
import { brandCandidates, withoutBrandIds } from './brand.ts';
import { Surroundings } from './context.ts';
import { dataAttributeCandidates } from './data-attributes.ts';
import { labelCandidates } from './labels.ts';
import { isCountedListing } from './listing.ts';
import { visiblePrices } from './price.ts';
import { priceCandidates } from './price-candidates.ts';
import { withoutZeroOnRequest } from './price-on-request.ts';
import { findRegion } from './region.ts';
import { skuCandidates } from './sku.ts';

export interface VisibleInput {
  readonly doc: HtmlDocument;
  readonly index: PageIndex;
  readonly links: PageLinks;
  readonly locale: Locale;
  /** Folded names of the page: title, `og:title`, words of its URL. */
  readonly names: readonly string[];
  readonly ownKeys: ReadonlySet<string>;
  /** Names of the shop, folded and without spaces: a heading with such a name is the logo. */
  readonly siteNames: ReadonlySet<string>;
  readonly findings: Findings;
}

/**
 * Adds candidates for all facts from the text near the heading that names the product.
 *
 * @returns false if the page is a list of products
 */
export function addVisible(input: VisibleInput, out: FactCandidates): boolean {
  const around = new Surroundings(input.doc, input.links, input.ownKeys);
  const region = findRegion(input.doc, input.index, around, input.names, input.siteNames);
  if (region === undefined) {
    out.sku = out.sku.filter(({ onlyPrinted }) => onlyPrinted !== true);
    return true;
  }
  if (isCountedListing(region, out)) return false;
  const heading = cleanText(input.doc.text(region.heading, 2_000), BOUNDS.nameLength);
  if (heading !== '')
    out.name.push({ value: heading, source: 'html', field: region.heading.name, weight: SHOWN_NAME.heading });
  withoutZeroOnRequest(region, out, input.findings);
  const prices = visiblePrices(region, input.locale);
  const { candidates: availability, unread } = availabilityCandidates(region);
  if (unread !== undefined && out.availability.length === 0)
    addUnread(input.findings, 'availability', { value: unread, source: 'html', field: 'text:availability' });
  const outOfStock = [...out.availability, ...availability][0]?.value === 'OutOfStock';
  const { price, currency } = priceCandidates(region, prices, out, outOfStock);
  out.price.push(...price);
  out.currency.push(...currency);
  out.availability.push(...availability);
  const { sku, brand } = labelCandidates(region);
  out.sku = skuCandidates(input, region, out.sku, sku);
  out.brand = withoutBrandIds(region, out.brand);
  out.brand.push(...brandCandidates(region, out.brand, brand));
  for (const [fact, candidate] of Object.entries(dataAttributeCandidates(region, out))) {
    out[fact as 'price' | 'sku' | 'brand'].push(candidate);
  }
  return true;
}

/** Adds the page's first `h1` and its title as candidates for the name. */
export function addVisibleTexts(doc: HtmlDocument, index: PageIndex, out: FactCandidates): void {
  for (const el of index.headings.filter(({ name }) => name === 'h1').slice(0, 3)) {
    if (doc.inFallback(el)) continue;
    const value = cleanText(doc.text(el, 2_000), BOUNDS.nameLength);
    if (value === '') continue;
    out.name.push({ value, source: 'html', field: 'h1', weight: SHOWN_NAME.firstH1 });
    break;
  }
  if (index.title === null) return;
  const title = cleanText(doc.text(index.title, 2_000), BOUNDS.nameLength);
  if (title !== '') out.name.push({ value: title, source: 'html', field: 'title', weight: SHOWN_NAME.title });
}
