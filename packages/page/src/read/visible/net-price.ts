import { SCORE } from '../weights.ts';
import { MARK } from './marks.ts';
import type { VisiblePrice } from './visible-price.ts';

/** Runs within which an amount with its tax stands beside the same amount before tax. */
const BESIDE = 8;
/** The highest rate of such a tax, as a share of the price before it (27 % in Hungary). */
const HIGHEST_RATE = 0.28;
const LOWEST_RATE = 0.01;

/**
 * The prices with those marked as before tax that stand beside the same amount with its tax: where the page prints both, nobody
 * pays the lower one.
 */
export function withNetMarked(prices: readonly VisiblePrice[]): VisiblePrice[] {
  const taxed = prices.filter((price) => price.taxed && !price.words.old && !price.other);
  if (taxed.length === 0) return [...prices];
  return prices.map((price) => {
    if (!price.taxed)
      return taxed.some((gross) => isNetOf(price, gross))
        ? { ...price, other: true, score: price.score + SCORE.price.other }
        : price;
    // a name such as `price-normal` calls old what is only not reduced
    return price.old && taxed.includes(price) && prices.some((net) => isNetOf(net, price))
      ? { ...price, old: false, score: price.score - SCORE.price.old }
      : price;
  });
}

function isNetOf(net: VisiblePrice, gross: VisiblePrice): boolean {
  // the words behind a range are on both of its ends
  if (net.taxed || net.old || net.range !== undefined || gross.lowEnd !== undefined) return false;
  const rate = Number(gross.amount) / Number(net.amount) - 1;
  return (
    rate >= LOWEST_RATE &&
    rate <= HIGHEST_RATE &&
    net.currency === gross.currency &&
    // what is called old has its tax because the other is named as before it
    (!gross.old || (net.run.marks & MARK.net) !== 0) &&
    Math.abs(net.run.distance - gross.run.distance) <= BESIDE
  );
}
