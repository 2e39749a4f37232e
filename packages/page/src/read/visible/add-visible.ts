import { BOUNDS } from '../bounds.ts';
import type { HtmlDocument } from '../dom/document.ts';
import type { PageIndex } from '../dom/page-index.ts';
import { addUnread, type FactCandidate, type FactCandidates } from '../fact-candidates.ts';
import type { Findings } from '../findings.ts';
import type { PageLinks } from '../links.ts';
import type { Locale } from '../values/currency.ts';
import { cleanText } from '../values/text.ts';
import { CHOICE, SHOWN_NAME, SHOWN_SKU, STATED_SKU_SHARE } from '../weights.ts';
import { availabilityCandidates } from './availability.ts';
import { shownBrands } from './brand.ts';
import { Surroundings } from './context.ts';
import { dataAttributeCandidates } from './data-attributes.ts';
import { bestOf, labelCandidates } from './labels.ts';
import { pageIdCandidates } from './page-id.ts';
import { priceCandidates, visiblePrices } from './price.ts';
import { findRegion, type Region } from './region.ts';

export interface VisibleInput {
  readonly doc: HtmlDocument;
  readonly index: PageIndex;
  readonly links: PageLinks;
  readonly locale: Locale;
  /** Folded names of the page: title, `og:title`, words of its address. */
  readonly names: readonly string[];
  readonly ownKeys: ReadonlySet<string>;
  /** What the shop calls itself, folded, without spaces: a heading of that name is the logo. */
  readonly siteNames: ReadonlySet<string>;
  readonly findings: Findings;
}

/** Adds what the page shows near the heading that names the product. */
export function addVisible(input: VisibleInput, out: FactCandidates): void {
  const around = new Surroundings(input.doc, input.links, input.ownKeys);
  const region = findRegion(input.doc, input.index, around, input.names, input.siteNames);
  if (region === undefined) return;
  const heading = cleanText(input.doc.text(region.heading, 2_000), BOUNDS.nameLength);
  if (heading !== '')
    out.name.push({ value: heading, source: 'html', field: region.heading.name, weight: SHOWN_NAME.heading });
  const prices = visiblePrices(region, input.locale);
  const { candidates: availability, unread } = availabilityCandidates(region);
  if (unread !== undefined && out.availability.length === 0)
    addUnread(input.findings, 'availability', { value: unread, source: 'html', field: 'text:availability' });
  const outOfStock = [...out.availability, ...availability][0]?.value === 'OutOfStock';
  const { price, currency } = priceCandidates(prices, out.price, outOfStock);
  out.price.push(...price);
  out.currency.push(...currency);
  out.availability.push(...availability);
  const { sku, brand } = labelCandidates(region);
  out.sku = skuCandidates(input, region, out.sku, sku);
  out.brand.push(...bestOf([...brand, ...shownBrands(region)]));
  for (const [fact, candidate] of Object.entries(dataAttributeCandidates(region, out))) {
    out[fact as 'price' | 'sku' | 'brand'].push(candidate);
  }
}

/**
 * Numbers that the data states, that the page prints under a label, and that its address carries. Data often
 * states an internal number; the one that customers see wins where the stated one is printed nowhere.
 */
function skuCandidates(
  input: VisibleInput,
  region: Region,
  stated: readonly FactCandidate[],
  labelled: readonly FactCandidate[],
): FactCandidate[] {
  const ids = pageIdCandidates(input.doc, input.links.url);
  const weighed = stated.map((candidate) => ({
    ...candidate,
    weight: isOpened(candidate) ? candidate.weight : candidate.weight * shareOf(candidate.value, ids),
  }));
  const printed = labelled.map((candidate) =>
    stated.length > 0 &&
    !stated.some(isOpened) &&
    candidate.weight >= CHOICE.sureSkuLabel &&
    !isPrinted(region, stated)
      ? { ...candidate, weight: SHOWN_SKU.overStated }
      : candidate,
  );
  return [...weighed, ...printed, ...ids];
}

/** The number that the shop's own data gives to the variant that the page shows. */
function isOpened({ weight }: FactCandidate): boolean {
  return weight >= CHOICE.openedOffer;
}

/** Whether one of the stated numbers stands in the text near the heading. */
function isPrinted({ runs }: Region, stated: readonly FactCandidate[]): boolean {
  const printed = ` ${runs.map(({ text }) => text.toLowerCase()).join(' ')} `.replace(/[():,;#]/g, ' ');
  return stated.some(({ value }) => printed.includes(` ${value.toLowerCase()} `));
}

/** A GTIN or a model's name of several words in the place of an article number is worth less. */
function shareOf(sku: string, ids: readonly FactCandidate[]): number {
  if (isGtin(sku) && ids.length > 0) return STATED_SKU_SHARE.gtin;
  return sku.includes(' ') ? STATED_SKU_SHARE.severalWords : 1;
}

/** GTIN-12, GTIN-13 or GTIN-14 with a sound check digit (GS1 General Specifications 7.9). */
function isGtin(text: string): boolean {
  if (!/^\d{12,14}$/.test(text)) return false;
  const digits = [...text].map(Number).toReversed();
  const sum = digits.reduce((total, digit, i) => total + (i % 2 === 1 ? digit * 3 : digit), 0);
  return sum % 10 === 0;
}

/** The name as the page prints it: its first main heading, else its title. */
export function addVisibleTexts(doc: HtmlDocument, index: PageIndex, out: FactCandidates): void {
  for (const el of index.headings.filter(({ name }) => name === 'h1').slice(0, 3)) {
    const value = cleanText(doc.text(el, 2_000), BOUNDS.nameLength);
    if (value === '') continue;
    out.name.push({ value, source: 'html', field: 'h1', weight: SHOWN_NAME.firstH1 });
    break;
  }
  if (index.title === null) return;
  const title = cleanText(doc.text(index.title, 2_000), BOUNDS.nameLength);
  if (title !== '') out.name.push({ value: title, source: 'html', field: 'title', weight: SHOWN_NAME.title });
}
