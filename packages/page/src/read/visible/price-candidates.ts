import type { Candidate } from '../candidates.ts';
import { MARK } from './marks.ts';
import type { VisiblePrice } from './price.ts';

/** What a shown price is worth: on its own, and where the page strikes out the one that its data states. */
const SHOWN = 0.5;
const SHOWN_WEAKLY = 0.45;
const SHOWN_OVER_STRUCK = 1.5;
/** Stated prices below this weight are other offers' ones. */
const LEAST_STATED = 0.3;
/** Score from which a shown price is as good as pointed at. */
const SURE_SCORE = 4;
/** A product that cannot be bought often shows only others' prices. */
const SURE_ENOUGH_WHEN_OUT = 3.6;

/** The shown price as candidates for price and currency, in the light of what structured data states. */
export function priceCandidates(
  prices: readonly VisiblePrice[],
  candidates: readonly Candidate[],
  outOfStock: boolean,
): { price: Candidate[]; currency: Candidate[] } {
  const [chosen, ...others] = candidates.toSorted((a, b) => b.weight - a.weight);
  const stated = chosen !== undefined && chosen.weight >= LEAST_STATED ? chosen.value : undefined;
  const same = prices.find(
    (price) => !price.old && stated !== undefined && Number(price.amount) === Number(stated),
  );
  const best = same ?? prices[0];
  if (best === undefined) return { price: [], currency: [] };
  if (stated === undefined && outOfStock && best.score < SURE_ENOUGH_WHEN_OUT)
    return { price: [], currency: [] };
  if (stated === undefined && !outOfStock && isOneOfMany(best, prices)) return { price: [], currency: [] };
  if (same === undefined && best.score >= SURE_SCORE) {
    // one of the other offers is the one that the page shows
    const shown = others.find(({ value }) => Number(value) === Number(best.amount));
    if (shown !== undefined) return { price: [{ ...shown, weight: SHOWN_OVER_STRUCK }], currency: [] };
  }
  const over = same === undefined && (isStruckOut(stated, best, prices) || isGroupedOf(stated, best));
  const weight = over ? SHOWN_OVER_STRUCK : best.score >= SURE_SCORE ? SHOWN : SHOWN_WEAKLY;
  const price: Candidate = { value: best.amount, source: 'html', field: 'text:price', weight };
  if (best.currency === undefined) return { price: [price], currency: [] };
  const currency = { ...price, value: best.currency, weight: best.guessed ? GUESSED : SHOWN };
  return { price: [price], currency: [currency] };
}

/** Whether nothing names an amount as a price and another one stands as well: a list, such as of ways of delivery. */
function isOneOfMany(best: VisiblePrice, prices: readonly VisiblePrice[]): boolean {
  if ((best.run.marks & MARK.price) !== 0 || best.words.labelled) return false;
  return prices.some(
    (price) => !price.old && price.amount !== best.amount && price.score > best.score - CLEARLY_BETTER,
  );
}

const CLEARLY_BETTER = 0.8;

/** Weight of a currency that its mark alone does not tell. */
const GUESSED = 0.3;

/** `1.299` stated where `1.299,00` or `1,299` is shown: the point groups thousands after all. */
function isGroupedOf(stated: string | undefined, best: VisiblePrice): boolean {
  return (
    stated !== undefined && /^\d{1,3}\.\d{3}$/.test(stated) && Number(best.amount) === Number(stated) * 1_000
  );
}

/** Whether the stated price is only shown struck through, with a lower one shown as current. */
function isStruckOut(
  stated: string | undefined,
  best: VisiblePrice,
  prices: readonly VisiblePrice[],
): boolean {
  if (stated === undefined || best.old || best.score < SURE_SCORE) return false;
  if (Number(best.amount) >= Number(stated)) return false;
  return prices.some((price) => price.old && Number(price.amount) === Number(stated));
}
