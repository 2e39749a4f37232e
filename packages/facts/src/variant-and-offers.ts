import type { PageFacts } from '@touchstone/page/document';
import type { FactCandidates } from './fact-candidates.ts';
import { namedVariant, type RecordContext, selectedOffer } from './from-records.ts';
import type { OfferRecord, ProductRecord } from './schema-org/record.ts';
import { amountsIn, asciiDigits, statedPrice } from './values/price.ts';
import { htmlToText } from './values/text.ts';

type VariantFact = Exclude<PageFacts['variant'], undefined>;
type OffersFact = Exclude<PageFacts['offers'], undefined>;

const LONGEST = 200;

/** The variant that the facts describe, if there are several and the URL or the page selects one. */
export function shownVariant(products: readonly ProductRecord[], context: RecordContext): VariantFact {
  const { opened } = context;
  if (opened !== undefined && opened.of > 1) {
    const value = htmlToText(opened.title ?? opened.id, LONGEST);
    const field = `shopify:variant.${opened.title === undefined ? 'id' : 'title'}`;
    const chosenBy = opened.chosenBy === 'address' ? 'address' : 'page';
    return { value, source: 'html', field, id: opened.id, chosen_by: chosenBy };
  }
  for (const product of products) {
    const named = product.variants.length > 1 ? namedVariant(product, context) : undefined;
    const stated = named?.name ?? named?.sku ?? selectedOffer(product.offers, context)?.sku;
    if (stated === undefined) continue;
    const value = htmlToText(stated.value, LONGEST);
    return { value, source: product.source, field: stated.field, chosen_by: 'address' };
  }
  return null;
}

/** The price range of all variants or sellers: as stated, else computed from the individual prices. */
export function offersRange(products: readonly ProductRecord[], { opened }: RecordContext): OffersFact {
  for (const { source, offers } of products) {
    for (const { price, highPrice } of offers) {
      const range = price && highPrice && between([price.value, highPrice.value]);
      if (range !== undefined) return { ...range, source, field: price?.field ?? '' };
    }
  }
  const each = opened === undefined ? undefined : between(opened.prices);
  if (each !== undefined)
    return { ...each, source: 'html', field: 'shopify:variants.price', doubts: ['inferred'] };
  for (const { source, offers, variants } of products) {
    const single = [...offers, ...variants.flatMap((variant) => variant.offers)].filter(isSingle);
    const range = between(single.map(({ price }) => price?.value ?? ''));
    if (range !== undefined)
      return { ...range, source, field: single[0]?.price?.field ?? '', doubts: ['inferred'] };
  }
  return null;
}

/** The price range that the page prints with both ends. */
export function printedRange({ price }: FactCandidates): OffersFact {
  for (const { range, source, field } of price) {
    if (range === undefined || field !== 'text:price') continue;
    const found = between(amountsIn(asciiDigits(range)).map(({ amount }) => amount));
    if (found !== undefined) return { ...found, source, field };
  }
  return null;
}

function isSingle({ aggregate, price }: OfferRecord): boolean {
  return !aggregate && price !== undefined;
}

/** Undefined if all prices are equal. Prices of zero are ignored: they mostly mean a missing price. */
function between(prices: readonly string[]): { value: string; low: string; high: string } | undefined {
  const amounts = prices.flatMap((price) => statedPrice(price) ?? []).filter((amount) => Number(amount) > 0);
  const sorted = amounts.toSorted((a, b) => Number(a) - Number(b));
  const [low] = sorted;
  const high = sorted.at(-1);
  if (low === undefined || high === undefined || Number(low) === Number(high)) return undefined;
  return { value: `${low}–${high}`, low, high };
}
