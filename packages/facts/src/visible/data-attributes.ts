import type { El } from '@touchstone/page/document';
import type { FactCandidate, FactCandidates } from '../fact-candidates.ts';
import { statedPrice } from '../values/price.ts';
import { brandText, isBrandCode, skuText } from '../values/text.ts';
import { DATA_ATTRIBUTE } from '../weights.ts';
import { MARK } from './marks.ts';
import type { Region } from './region.ts';

/** Attributes that pass a product's facts to the shop's scripts. */
const ATTRIBUTES: ReadonlyMap<string, 'price' | 'sku' | 'brand'> = new Map([
  ['data-price', 'price'],
  ['data-item-price', 'price'],
  ['data-product-price', 'price'],
  ['data-price-amount', 'price'],
  ['data-current-price', 'price'],
  ['data-final-price', 'price'],
  ['data-sale-price', 'price'],
  ['data-sku', 'sku'],
  ['data-product-sku', 'sku'],
  ['data-item-sku', 'sku'],
  ['data-brand', 'brand'],
  ['data-product-brand', 'brand'],
]);
const NORMALISE = { price: statedPrice, sku: skuText, brand: brandText } as const;
const IDS = ['data-product-id', 'data-productid', 'data-variant-id', 'data-id', 'value'] as const;

/** Whether the value of a price attribute is really the element's database id. */
function isIdOf({ doc }: Region, el: El, value: string): boolean {
  return /^\d{6,}$/.test(value) && IDS.some((name) => doc.attr(el, name)?.trim() === value);
}

const ELEMENTS_BEFORE = 300;
const ELEMENTS_AFTER = 600;
const FOREIGN = MARK.related | MARK.frame | MARK.talk;

/**
 * Facts from `data-*` attributes near the heading, only if the page states them nowhere else. Facts with several distinct
 * values are ignored: some belong to other products or variants.
 */
export function dataAttributeCandidates(
  region: Region,
  known: FactCandidates,
): Partial<Record<'price' | 'sku' | 'brand', FactCandidate>> {
  const values = new Map<'price' | 'sku' | 'brand', Map<string, string>>();
  const { doc, heading } = region;
  const from = Math.max(0, heading.index - ELEMENTS_BEFORE);
  const to = Math.min(doc.elements.length, heading.end + ELEMENTS_AFTER);
  for (let i = from; i < to; i++) {
    const el = doc.elements[i] as El;
    for (let at = el.attrFrom; at < el.attrTo; at++) {
      const fact = ATTRIBUTES.get(doc.attrNames[at] as string);
      if (fact === undefined || known[fact].length > 0 || (region.around.of(el) & FOREIGN) !== 0) continue;
      const value = NORMALISE[fact](doc.attrValue(at).slice(0, 200));
      if (value === undefined || (fact === 'price' && isIdOf(region, el, value))) continue;
      if (fact === 'brand' && isBrandCode(value)) continue;
      const found = values.get(fact) ?? new Map<string, string>();
      values.set(fact, found.set(value, doc.attrNames[at] as string));
    }
  }
  const facts: Partial<Record<'price' | 'sku' | 'brand', FactCandidate>> = {};
  for (const [fact, found] of values) {
    const [only, ...others] = found;
    if (only === undefined || others.length > 0) continue;
    facts[fact] = { value: only[0], source: 'html', field: `attribute:${only[1]}`, weight: DATA_ATTRIBUTE };
  }
  return facts;
}
