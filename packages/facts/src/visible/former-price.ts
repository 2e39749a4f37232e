import { SCORE } from '../weights.ts';
import { MARK } from './marks.ts';
import { hasOtherWords } from './price-text.ts';
import type { Region, Run } from './region.ts';
import type { VisiblePrice } from './visible-price.ts';

/**
 * Marks amounts as former prices by position: a lower amount follows directly. Conversely, an amount named as old without a
 * lower one nearby is the price: there, "old" is only a name in the theme's code.
 */
export function withFormerMarked(region: Region, prices: readonly VisiblePrice[]): VisiblePrice[] {
  return prices
    .map((price, i) =>
      isFormer(region, price, near(prices, i, 0, FORMER_BEFORE))
        ? { ...price, old: true, score: price.score + SCORE.price.old }
        : price,
    )
    .map((price, i) =>
      price.old && !hasCurrentBeside(price, near(prices, i, CURRENT_BESIDE, CURRENT_BESIDE))
        ? { ...price, old: false, score: price.score - SCORE.price.old }
        : price,
    );
}

/** Maximum runs from a former price to the current one after it, and from a price named as old to a current one on either side. */
const FORMER_BEFORE = 3;
const CURRENT_BESIDE = 6;

/** The other prices within a number of runs. Prices are in the order of their runs, so the page need not be searched. */
function near(prices: readonly VisiblePrice[], i: number, before: number, behind: number): VisiblePrice[] {
  const at = prices[i]?.run.distance ?? 0;
  let from = i;
  let to = i;
  while (from > 0 && at - (prices[from - 1] as VisiblePrice).run.distance <= before) from--;
  while (to + 1 < prices.length && (prices[to + 1] as VisiblePrice).run.distance - at <= behind) to++;
  return [...prices.slice(from, i), ...prices.slice(i + 1, to + 1)];
}

/**
 * Whether a lower amount directly follows an amount, neither described by words: a former price, struck through only by
 * CSS, and the current one.
 */
function isFormer(region: Region, price: VisiblePrice, behind: readonly VisiblePrice[]): boolean {
  if (price.old || price.words.against < 0) return false;
  return behind.some(
    (other) =>
      !other.old &&
      other.words.against === 0 &&
      other.currency === price.currency &&
      !other.other &&
      (other.run.marks & MARK.net) === 0 &&
      Number(other.amount) < Number(price.amount) &&
      Number(other.amount) > Number(price.amount) * 0.2 &&
      !isNamedOtherwise(other.run.text) &&
      !hasCountBetween(region, price.run, other.run) &&
      !hasLabelBetween(region, price.run, other.run),
  );
}

/** Whether there is a bare number between two runs: the second amount is for that many pieces. */
function hasCountBetween({ runs }: Region, from: Run, to: Run): boolean {
  const first = runs[0]?.distance ?? 0;
  return runs
    .slice(from.distance - first + 1, to.distance - first)
    .some(({ text }) => /^\D{0,8}\d+\s*(?:\+|[-–]\s*\d+)?\D{0,6}$/.test(text) && !/%|\p{Sc}/u.test(text));
}

/** Whether words between two runs name the second amount. Words for a saving do not count: they introduce the new price. */
function hasLabelBetween({ runs }: Region, from: Run, to: Run): boolean {
  const first = runs[0]?.distance ?? 0;
  return runs
    .slice(from.distance - first + 1, to.distance - first)
    .some(({ text }) => isNamedOtherwise(text));
}

/** Whether a text has other words than for a price, a saving or a current price. Words of under four letters may be currencies. */
function isNamedOtherwise(text: string): boolean {
  return /\p{L}{4}/u.test(text) && hasOtherWords(text) && !NEW_PRICE.test(text);
}

const NEW_PRICE =
  /%|\boff\b|\bsale|special|current|\bnow\b|today|deal|jetzt|aktuell|angebot|aktion|sonder|reduzier|promo|oferta|offert|akce|akcija|akció|teraz|nyní|rebaj|rabais|réduc|soldes|remise|sconto|desconto|descuento|korting|actie|tilbud|erbjud|\brea\b|kampan|tarjous|скид|акци|сейчас|знижк|indirim|ofert|reducere|割引|セール|할인|세일|특가|促销|促銷|giảm|khuyến|diskon|خصم|מבצע/iu;

/** Whether there is a lower price nearby that is not old; otherwise "old" is only a name in the theme's code. */
function hasCurrentBeside(price: VisiblePrice, beside: readonly VisiblePrice[]): boolean {
  return beside.some((other) => !other.old && !other.other && Number(other.amount) < Number(price.amount));
}
