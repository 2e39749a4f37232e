import type { FactCandidate, FactCandidates } from '../fact-candidates.ts';
import { CHOICE, GUESSED_CURRENCY, RECORD_SHARE, SCORE, SHOWN_PRICE } from '../weights.ts';
import { isOneOfArticles } from './article-rows.ts';
import { MARK } from './marks.ts';
import { isStated, overrulesMeta, overrulesUnprinted } from './price-overrules.ts';
import type { Region } from './region.ts';
import type { VisiblePrice } from './visible-price.ts';

/** The shown price as candidates for price and currency, in the light of what structured data states. */
export function priceCandidates(
  region: Region,
  prices: readonly VisiblePrice[],
  { price: candidates, currency: currencies }: Pick<FactCandidates, 'price' | 'currency'>,
  outOfStock: boolean,
): { price: FactCandidate[]; currency: FactCandidate[] } {
  const [chosen, ...others] = candidates.toSorted((a, b) => b.weight - a.weight);
  const stated = chosen !== undefined && isStated(chosen) ? chosen.value : undefined;
  const same = prices.find(
    (price) => !price.old && stated !== undefined && Number(price.amount) === Number(stated),
  );
  if (same?.words.auction === true) {
    // what an auction begins with yields to the amount that another statement and the page agree on
    const agreed = others.find((other) => isStated(other) && prices.some((price) => isOf(price, other)));
    if (agreed !== undefined)
      return { price: [{ ...agreed, weight: SHOWN_PRICE.overStated }], currency: currencyBeside(same) };
  }
  const opened = chosen !== undefined && chosen.weight >= CHOICE.openedOffer;
  const [shown] = prices;
  if (shown !== undefined && !opened && overrulesMeta(region, shown, prices, candidates))
    return { price: [toCandidate(shown, SHOWN_PRICE.overStated)], currency: currencyBeside(shown) };
  const found =
    same !== undefined && shown !== undefined && isWithin(shown, same, chosen) ? shown : (same ?? shown);
  const low = found === undefined || opened ? undefined : lowEndOf(found, prices);
  const best = low ?? found;
  if (best === undefined) return { price: [], currency: [] };
  if (stated === undefined && outOfStock && best.score < SCORE.price.sureWhenSoldOut)
    return { price: [], currency: [] };
  if (stated === undefined && isUncertainAlone(best, prices)) return { price: [], currency: [] };
  if (stated === undefined && isOneOfArticles(region, best, prices))
    return { price: [], currency: sharedCurrency(prices) };
  if (stated === undefined && !outOfStock && (isOneOfMany(best, prices) || isNamedOther(best, prices)))
    return { price: [], currency: sharedCurrency(prices) };
  if (same === undefined && !opened && best.score >= SCORE.price.sure) {
    // one of the other offers is the one that the page shows
    const offered = others.find(({ value }) => Number(value) === Number(best.amount));
    if (offered !== undefined)
      return { price: [{ ...offered, weight: SHOWN_PRICE.overStated }], currency: currencyBeside(best) };
  }
  // of a range that the page prints, data may state either end
  const over =
    (low !== undefined && same !== undefined) ||
    (same !== undefined && found !== same) ||
    (same === undefined && overrulesUnprinted(best, prices, candidates, currencies));
  const sure = best.score >= SCORE.price.sure && !best.other && best.words.against === 0;
  const weight = over ? SHOWN_PRICE.overStated : sure ? SHOWN_PRICE.sure : SHOWN_PRICE.weak;
  return { price: [toCandidate(best, weight)], currency: currencyBeside(best) };
}

function toCandidate({ amount, range }: VisiblePrice, weight: number): FactCandidate {
  return {
    value: amount,
    source: 'html',
    field: 'text:price',
    weight,
    ...(range !== undefined && { range }),
  };
}

/**
 * Whether the page prints a range first, and data states an amount within it that is before tax: one of the products of a
 * group.
 */
function isWithin(shown: VisiblePrice, same: VisiblePrice, chosen: FactCandidate | undefined): boolean {
  return (
    shown !== same &&
    shown.range !== undefined &&
    same.range === undefined &&
    same.lowEnd === undefined &&
    shown.run.distance < same.run.distance &&
    Number(shown.amount) < Number(same.amount) &&
    chosen !== undefined &&
    chosen.weight <= RECORD_SHARE.net
  );
}

/** The low end of a printed range that this amount is the high end of, here or where it is printed again. */
function lowEndOf(found: VisiblePrice, prices: readonly VisiblePrice[]): VisiblePrice | undefined {
  const high = prices.find(
    ({ amount, old, lowEnd }) => !old && lowEnd !== undefined && Number(amount) === Number(found.amount),
  );
  return (
    high && prices.find(({ amount, old, range }) => !old && range !== undefined && amount === high.lowEnd)
  );
}

/** The currency that is printed with an amount. */
function currencyBeside({ currency, guessed }: VisiblePrice): FactCandidate[] {
  if (currency === undefined) return [];
  const weight = guessed ? GUESSED_CURRENCY : SHOWN_PRICE.sure;
  return [
    {
      value: currency,
      source: 'html',
      field: 'text:price',
      weight,
      ...(guessed && { inferred: true as const }),
    },
  ];
}

/** The currency of all printed amounts where none is taken: embedded data may state one of them without its currency. */
function sharedCurrency(prices: readonly VisiblePrice[]): FactCandidate[] {
  const [first] = prices;
  return first !== undefined && prices.every(({ currency }) => currency === first.currency)
    ? currencyBeside(first)
    : [];
}

function isOf({ amount, old, other, words }: VisiblePrice, { value }: FactCandidate): boolean {
  return !old && !other && !words.auction && Number(amount) === Number(value);
}

/** Whether an amount that no other place states scores too little, and is printed beside others or without a currency. */
function isUncertainAlone(best: VisiblePrice, prices: readonly VisiblePrice[]): boolean {
  if (best.score >= SCORE.price.leastAlone) return false;
  return best.currency === undefined || prices.some(({ old, amount }) => !old && amount !== best.amount);
}

/** Whether nothing names an amount as a price and another one stands as well: a list, such as of ways of delivery. */
function isOneOfMany(best: VisiblePrice, prices: readonly VisiblePrice[]): boolean {
  if ((best.run.marks & MARK.price) !== 0 || best.words.labelled) return false;
  return prices.some(
    (price) =>
      !price.old && price.amount !== best.amount && price.score > best.score - SCORE.price.clearlyBetter,
  );
}

/** Whether the markup names an amount as another one than the price, such as one per unit, and another amount stands too. */
function isNamedOther({ other, score, amount }: VisiblePrice, prices: readonly VisiblePrice[]): boolean {
  return other && score < SCORE.price.sure && prices.some((price) => !price.old && price.amount !== amount);
}
