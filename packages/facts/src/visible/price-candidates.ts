import type { FactCandidate, FactCandidates } from '../fact-candidates.ts';
import { CHOICE, GUESSED_CURRENCY, RECORD_SHARE, SCORE, SHOWN_PRICE } from '../weights.ts';
import { isOneOfArticles } from './article-rows.ts';
import { MARK } from './marks.ts';
import { isStated, overrulesMeta, overrulesUnprinted } from './price-overrules.ts';
import type { Region } from './region.ts';
import type { VisiblePrice } from './visible-price.ts';

/** Candidates for price and currency from the printed prices, weighted by comparison with the structured data. */
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
    // a starting bid yields to an amount on which another source and the page agree
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
    // the page shows one of the other offers
    const offered = others.find(({ value }) => Number(value) === Number(best.amount));
    if (offered !== undefined)
      return { price: [{ ...offered, weight: SHOWN_PRICE.overStated }], currency: currencyBeside(best) };
  }
  // structured data may state either end of a printed range
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
 * Whether the page prints a range first, and data states an amount before tax within it: that of one product of a
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

/** The low end of a printed range of which this amount, or a repetition of it, is the high end. */
function lowEndOf(found: VisiblePrice, prices: readonly VisiblePrice[]): VisiblePrice | undefined {
  const high = prices.find(
    ({ amount, old, lowEnd }) => !old && lowEnd !== undefined && Number(amount) === Number(found.amount),
  );
  return (
    high && prices.find(({ amount, old, range }) => !old && range !== undefined && amount === high.lowEnd)
  );
}

/** The currency printed with an amount. */
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

/** The common currency of all printed amounts if none is chosen: embedded data may state one of them without currency. */
function sharedCurrency(prices: readonly VisiblePrice[]): FactCandidate[] {
  const [first] = prices;
  return first !== undefined && prices.every(({ currency }) => currency === first.currency)
    ? currencyBeside(first)
    : [];
}

function isOf({ amount, old, other, words }: VisiblePrice, { value }: FactCandidate): boolean {
  return !old && !other && !words.auction && Number(amount) === Number(value);
}

/** Whether an amount that is stated nowhere else has a low score, and either lacks a currency or is printed among others. */
function isUncertainAlone(best: VisiblePrice, prices: readonly VisiblePrice[]): boolean {
  if (best.score >= SCORE.price.sure) return false;
  const others = prices.filter(({ old, amount }) => !old && amount !== best.amount);
  if (others.filter(({ score }) => score > best.score - LIST_MARGIN).length >= LIST) return true;
  return best.score < SCORE.price.leastAlone && (best.currency === undefined || others.length > 0);
}

/** From so many other amounts on that score nearly as much, the amounts are those of a list. */
const LIST = 4;
const LIST_MARGIN = 1;

/** Whether an amount is not named as a price and another one scores similarly: a list, for example of delivery methods. */
function isOneOfMany(best: VisiblePrice, prices: readonly VisiblePrice[]): boolean {
  if ((best.run.marks & MARK.price) !== 0 || best.words.labelled) return false;
  return prices.some(
    (price) =>
      !price.old && price.amount !== best.amount && price.score > best.score - SCORE.price.clearlyBetter,
  );
}

/** Whether an amount is named as something other than the price, such as a price per unit, and there is another amount. */
function isNamedOther({ other, score, amount }: VisiblePrice, prices: readonly VisiblePrice[]): boolean {
  return other && score < SCORE.price.sure && prices.some((price) => !price.old && price.amount !== amount);
}
