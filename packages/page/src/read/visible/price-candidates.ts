import type { Candidate } from '../candidates.ts';
import { CHOICE, GUESSED_CURRENCY, SCORE, SHOWN_PRICE } from '../weights.ts';
import { MARK } from './marks.ts';
import type { VisiblePrice } from './price.ts';

/** The shown price as candidates for price and currency, in the light of what structured data states. */
export function priceCandidates(
  prices: readonly VisiblePrice[],
  candidates: readonly Candidate[],
  outOfStock: boolean,
): { price: Candidate[]; currency: Candidate[] } {
  const [chosen, ...others] = candidates.toSorted((a, b) => b.weight - a.weight);
  const stated = chosen !== undefined && chosen.weight >= CHOICE.statedPrice ? chosen.value : undefined;
  const same = prices.find(
    (price) => !price.old && stated !== undefined && Number(price.amount) === Number(stated),
  );
  const best = same ?? prices[0];
  if (best === undefined) return { price: [], currency: [] };
  if (stated === undefined && outOfStock && best.score < SCORE.price.sureWhenSoldOut)
    return { price: [], currency: [] };
  if (stated === undefined && !outOfStock && isOneOfMany(best, prices)) return { price: [], currency: [] };
  if (same === undefined && best.score >= SCORE.price.sure) {
    // one of the other offers is the one that the page shows
    const shown = others.find(({ value }) => Number(value) === Number(best.amount));
    if (shown !== undefined) return { price: [{ ...shown, weight: SHOWN_PRICE.overStated }], currency: [] };
  }
  const over = same === undefined && (isStruckOut(stated, best, prices) || isGroupedOf(stated, best));
  const weight = over
    ? SHOWN_PRICE.overStated
    : best.score >= SCORE.price.sure
      ? SHOWN_PRICE.sure
      : SHOWN_PRICE.weak;
  const price: Candidate = { value: best.amount, source: 'html', field: 'text:price', weight };
  if (best.currency === undefined) return { price: [price], currency: [] };
  const currency = {
    ...price,
    value: best.currency,
    weight: best.guessed ? GUESSED_CURRENCY : SHOWN_PRICE.sure,
  };
  return { price: [price], currency: [currency] };
}

/** Whether nothing names an amount as a price and another one stands as well: a list, such as of ways of delivery. */
function isOneOfMany(best: VisiblePrice, prices: readonly VisiblePrice[]): boolean {
  if ((best.run.marks & MARK.price) !== 0 || best.words.labelled) return false;
  return prices.some(
    (price) =>
      !price.old && price.amount !== best.amount && price.score > best.score - SCORE.price.clearlyBetter,
  );
}

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
  if (stated === undefined || best.old || best.score < SCORE.price.sure) return false;
  if (Number(best.amount) >= Number(stated)) return false;
  return prices.some((price) => price.old && Number(price.amount) === Number(stated));
}
