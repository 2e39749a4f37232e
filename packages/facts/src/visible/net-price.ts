import { SCORE } from '../weights.ts';
import { MARK } from './marks.ts';
import type { VisiblePrice } from './visible-price.ts';

/** Maximum runs between an amount including tax and the same amount before tax. */
const BESIDE = 8;
/** The highest rate of a sales tax, as a share of the price before tax (27 % in Hungary). */
const HIGHEST_RATE = 0.28;
const LOWEST_RATE = 0.01;

/**
 * Marks amounts near the same amount including tax as other amounts: if the page prints both, the one before tax is not the
 * price that customers pay.
 */
export function withNetMarked(prices: readonly VisiblePrice[]): VisiblePrice[] {
  const taxed = prices.filter((price) => price.taxed && !price.words.old && !price.other);
  if (taxed.length === 0) return [...prices];
  return prices.map((price) => {
    if (!price.taxed)
      return taxed.some((gross) => isNetOf(price, gross))
        ? { ...price, other: true, score: price.score + SCORE.price.other }
        : price;
    // names such as `price-normal` mark a price as old that is merely not reduced
    return price.old && taxed.includes(price) && prices.some((net) => isNetOf(net, price))
      ? { ...price, old: false, score: price.score - SCORE.price.old }
      : price;
  });
}

function isNetOf(net: VisiblePrice, gross: VisiblePrice): boolean {
  // words after a range apply to both ends
  if (net.taxed || net.old || net.range !== undefined || gross.lowEnd !== undefined) return false;
  const rate = Number(gross.amount) / Number(net.amount) - 1;
  return (
    rate >= LOWEST_RATE &&
    rate <= HIGHEST_RATE &&
    net.currency === gross.currency &&
    // an amount marked as old counts as gross only if the markup names the other one as net
    (!gross.old || (net.run.marks & MARK.net) !== 0) &&
    Math.abs(net.run.distance - gross.run.distance) <= BESIDE
  );
}
