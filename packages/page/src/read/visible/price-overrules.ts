import type { FactCandidate } from '../fact-candidates.ts';
import { CHOICE, SCORE } from '../weights.ts';
import { MARK } from './marks.ts';
import { isUnselectedOption } from './options.ts';
import type { Region } from './region.ts';
import type { VisiblePrice } from './visible-price.ts';

/** A price of nothing is most often none, and no reason to trust what is printed. */
export function isStated({ value, weight }: FactCandidate): boolean {
  return weight >= CHOICE.statedPrice && Number(value) > 0;
}

/**
 * Whether only meta elements state a price, and the page surely prints another one under a name for prices. Meta elements
 * know no variants: they hold another variant's price, or one before tax or a discount. The page may print theirs for an
 * option that it does not open with.
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

/** Whether a printed price wins over a stated one that is printed nowhere as a current one. */
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
 * Whether only meta elements state a price, printed nowhere and in another currency than what is surely printed: themes
 * that were copied carry those of the shop they come from.
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

/** Whether data states only the low end of a range, printed nowhere, where another price is surely printed. */
function isLowEnd(chosen: FactCandidate | undefined, best: VisiblePrice): boolean {
  return (
    chosen !== undefined && /(?:lowPrice|minPrice)$/.test(chosen.field) && best.score >= SCORE.price.sure
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
