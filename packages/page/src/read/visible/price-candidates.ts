import type { FactCandidate, FactCandidates } from '../fact-candidates.ts';
import { CHOICE, GUESSED_CURRENCY, SCORE, SHOWN_PRICE } from '../weights.ts';
import { MARK } from './marks.ts';
import type { VisiblePrice } from './visible-price.ts';

/** The shown price as candidates for price and currency, in the light of what structured data states. */
export function priceCandidates(
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
  const found = same ?? prices[0];
  const low = found === undefined || opened ? undefined : lowEndOf(found, prices);
  const best = low ?? found;
  if (best === undefined) return { price: [], currency: [] };
  if (stated === undefined && outOfStock && best.score < SCORE.price.sureWhenSoldOut)
    return { price: [], currency: [] };
  if (stated === undefined && !outOfStock && (isOneOfMany(best, prices) || isNamedOther(best, prices)))
    return { price: [], currency: [] };
  if (same === undefined && !opened && best.score >= SCORE.price.sure) {
    // one of the other offers is the one that the page shows
    const shown = others.find(({ value }) => Number(value) === Number(best.amount));
    if (shown !== undefined)
      return { price: [{ ...shown, weight: SHOWN_PRICE.overStated }], currency: currencyBeside(best) };
  }
  // of a range that the page prints, data may state either end
  const over =
    (low !== undefined && same !== undefined) ||
    (same === undefined &&
      (isStruckOut(stated, best, prices) ||
        isGroupedOf(stated, best) ||
        isOtherShops(best, candidates, currencies)));
  const weight = over
    ? SHOWN_PRICE.overStated
    : best.score >= SCORE.price.sure
      ? SHOWN_PRICE.sure
      : SHOWN_PRICE.weak;
  const price: FactCandidate = {
    value: best.amount,
    source: 'html',
    field: 'text:price',
    weight,
    ...(best.range !== undefined && { range: best.range }),
  };
  return { price: [price], currency: currencyBeside(best) };
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

function isOf({ amount, old, other, words }: VisiblePrice, { value }: FactCandidate): boolean {
  return !old && !other && !words.auction && Number(amount) === Number(value);
}

/** A price of nothing is most often none, and no reason to trust what is printed. */
function isStated({ value, weight }: FactCandidate): boolean {
  return weight >= CHOICE.statedPrice && Number(value) > 0;
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
