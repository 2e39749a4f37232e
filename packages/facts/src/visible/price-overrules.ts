import type { FactCandidate } from '../fact-candidates.ts';
import { CHOICE, SCORE } from '../weights.ts';
import { MARK } from './marks.ts';
import { isUnselectedOption } from './options.ts';
import type { Region } from './region.ts';
import type { VisiblePrice } from './visible-price.ts';

/** Whether a candidate counts as a stated price. A zero usually means that there is no price, so it does not count. */
export function isStated({ value, weight }: FactCandidate): boolean {
  return weight >= CHOICE.statedPrice && Number(value) > 0;
}

/**
 * Whether only meta elements state a price, and the page prints another one with a high score in markup named for prices.
 * Meta elements do not know variants: they often contain another variant's price, or one before tax or a discount. The page
 * may also print that price, if it belongs to an option that is not initially selected.
 */
export function overrulesMeta(
  region: Region,
  shown: VisiblePrice,
  prices: readonly VisiblePrice[],
  candidates: readonly FactCandidate[],
): boolean {
  const stated = candidates.filter(isStated);
  if (stated.length === 0 || stated.some(({ source }) => source !== 'meta')) return false;
  if (shown.score < SCORE.price.sure || shown.old || shown.other || shown.words.auction) return false;
  if (
    (shown.run.marks & MARK.price) === 0 ||
    stated.some(({ value }) => Number(value) === Number(shown.amount))
  )
    return false;
  return !prices.some(
    (price) =>
      !price.old &&
      stated.some(({ value }) => Number(value) === Number(price.amount)) &&
      !isUnselectedOption(region, price.run),
  );
}

/** Whether a printed price overrules a stated one that the page does not print as current. */
export function overrulesUnprinted(
  best: VisiblePrice,
  prices: readonly VisiblePrice[],
  candidates: readonly FactCandidate[],
  currencies: readonly FactCandidate[],
): boolean {
  const [chosen] = candidates.toSorted((a, b) => b.weight - a.weight);
  const stated = chosen !== undefined && isStated(chosen) ? chosen.value : undefined;
  return (
    isStruckOut(stated, best, prices) ||
    isGroupedOf(stated, best) ||
    isLowEnd(chosen, best) ||
    isOtherShops(best, candidates, currencies)
  );
}

/**
 * Whether only meta elements state price and currency, and the page prints a price with a high score in another currency:
 * copied themes contain the meta elements of the shop they come from.
 */
function isOtherShops(
  best: VisiblePrice,
  candidates: readonly FactCandidate[],
  currencies: readonly FactCandidate[],
): boolean {
  const stated = currencies.filter(({ weight }) => weight >= CHOICE.sureCurrency);
  return (
    best.score >= SCORE.price.sure &&
    best.currency !== undefined &&
    !best.guessed &&
    stated.length > 0 &&
    [...candidates.filter(isStated), ...stated].every(({ source }) => source === 'meta') &&
    stated.every(({ value }) => value !== best.currency)
  );
}

/** Whether the chosen price is the low end of a range, and the page prints another price with a high score. */
function isLowEnd(chosen: FactCandidate | undefined, best: VisiblePrice): boolean {
  return (
    chosen !== undefined && /(?:lowPrice|minPrice)$/.test(chosen.field) && best.score >= SCORE.price.sure
  );
}

/** Whether data states `1.299` and the page prints `1.299,00` or `1,299`: the point groups thousands. */
function isGroupedOf(stated: string | undefined, best: VisiblePrice): boolean {
  return (
    stated !== undefined && /^\d{1,3}\.\d{3}$/.test(stated) && Number(best.amount) === Number(stated) * 1_000
  );
}

/** Whether the page prints the stated price as a former one, and a lower one as current. */
function isStruckOut(
  stated: string | undefined,
  best: VisiblePrice,
  prices: readonly VisiblePrice[],
): boolean {
  // the low end of a range, such as `from 9`, reduces no price
  if (stated === undefined || best.old || best.range !== undefined || best.score < SCORE.price.sure)
    return false;
  if (Number(best.amount) >= Number(stated)) return false;
  return prices.some((price) => price.old && Number(price.amount) === Number(stated));
}
