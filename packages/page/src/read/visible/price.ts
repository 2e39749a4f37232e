import type { FactCandidate, FactCandidates } from '../fact-candidates.ts';
import { currencyOf, isPlainMark, type Locale } from '../values/currency.ts';
import { parsePrice, rangeIn } from '../values/price.ts';
import { CHOICE, GUESSED_CURRENCY, SCORE, SHOWN_PRICE } from '../weights.ts';
import { cardOf } from './cards.ts';
import { MARK } from './marks.ts';
import {
  hasOtherWords,
  isCentsOfBefore,
  joined,
  lowEndBefore,
  type PriceWords,
  rangeFrom,
  wordsAbout,
} from './price-text.ts';
import type { Region, Run } from './region.ts';

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

/** A price as the page shows it. */
export interface VisiblePrice {
  readonly amount: string;
  readonly currency: string | undefined;
  /** The mark is one of several currencies and nothing tells which. */
  readonly guessed: boolean;
  readonly score: number;
  readonly run: Run;
  readonly old: boolean;
  /** Named as another amount than the price. */
  readonly other: boolean;
  readonly words: PriceWords;
  /** The range that it is the low end of. */
  readonly range: string | undefined;
  /** The low end of the range that it is the high end of. */
  readonly lowEnd: string | undefined;
}

const LONGEST = 60;
const WEIGHTS = SCORE.price;

/** Prices shown near the heading, the surest first. */
export function visiblePrices(region: Region, locale: Locale): VisiblePrice[] {
  const found: VisiblePrice[] = [];
  for (const [i, run] of region.runs.entries()) {
    const price = readPrice(region, i, run, locale);
    if (price !== undefined) found.push(price);
  }
  const counts = new Map<string, number>();
  for (const { amount, score } of found) if (score > 0) counts.set(amount, (counts.get(amount) ?? 0) + 1);
  return found
    .map((price, i) =>
      isFormer(region, price, near(found, i, 0, FORMER_BEFORE))
        ? { ...price, old: true, score: price.score + WEIGHTS.old }
        : price,
    )
    .map((price, i) =>
      price.old && !hasCurrentBeside(price, near(found, i, CURRENT_BESIDE, CURRENT_BESIDE))
        ? { ...price, old: false, score: price.score - WEIGHTS.old }
        : price,
    )
    .map((price) => ({
      ...price,
      score:
        price.score + Math.min((counts.get(price.amount) ?? 1) - 1, WEIGHTS.mostRepeated) * WEIGHTS.repeated,
    }))
    .filter(({ score }) => score >= WEIGHTS.least)
    .toSorted((a, b) => b.score - a.score || a.run.at - b.run.at);
}

/** Runs between a former price and the current one behind it; between an old one and the current one on either side. */
const FORMER_BEFORE = 3;
const CURRENT_BESIDE = 6;

/** The other prices within so many runs; prices stand in the order of their runs, so the page is not searched for them. */
function near(prices: readonly VisiblePrice[], i: number, before: number, behind: number): VisiblePrice[] {
  const at = prices[i]?.run.distance ?? 0;
  let from = i;
  let to = i;
  while (from > 0 && at - (prices[from - 1] as VisiblePrice).run.distance <= before) from--;
  while (to + 1 < prices.length && (prices[to + 1] as VisiblePrice).run.distance - at <= behind) to++;
  return [...prices.slice(from, i), ...prices.slice(i + 1, to + 1)];
}

/**
 * Whether an amount with no words about it has a lower one right behind it: a former price, struck through by
 * style alone, and the current one.
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

/** Whether a bare number stands between: the second amount is for so many pieces. */
function hasCountBetween({ runs }: Region, from: Run, to: Run): boolean {
  const first = runs[0]?.distance ?? 0;
  return runs
    .slice(from.distance - first + 1, to.distance - first)
    .some(({ text }) => /^\D{0,8}\d+\s*(?:\+|[-–]\s*\d+)?\D{0,6}$/.test(text) && !/%|\p{Sc}/u.test(text));
}

/** Whether words stand between that say what the second amount is; those on the saving say that it is the new price. */
function hasLabelBetween({ runs }: Region, from: Run, to: Run): boolean {
  const first = runs[0]?.distance ?? 0;
  return runs
    .slice(from.distance - first + 1, to.distance - first)
    .some(({ text }) => isNamedOtherwise(text));
}

/** Whether it has words of its own, and none of what is paid now or saved; of fewer letters are currencies. */
function isNamedOtherwise(text: string): boolean {
  return /\p{L}{4}/u.test(text) && hasOtherWords(text) && !NEW_PRICE.test(text);
}

const NEW_PRICE =
  /%|\boff\b|\bsale|special|current|\bnow\b|today|deal|jetzt|aktuell|angebot|aktion|sonder|reduzier|promo|oferta|offert|akce|akcija|akció|teraz|nyní|rebaj|rabais|réduc|soldes|remise|sconto|desconto|descuento|korting|actie|tilbud|erbjud|\brea\b|kampan|tarjous|скид|акци|сейчас|знижк|indirim|ofert|reducere|割引|セール|할인|세일|특가|促销|促銷|giảm|khuyến|diskon|خصم|מבצע/iu;

/** Whether a lower price that is not old stands near: without one "old" is only a name in the theme's code. */
function hasCurrentBeside(price: VisiblePrice, beside: readonly VisiblePrice[]): boolean {
  return beside.some((other) => !other.old && !other.other && Number(other.amount) < Number(price.amount));
}

function readPrice(region: Region, i: number, run: Run, locale: Locale): VisiblePrice | undefined {
  if (!/\d/.test(run.text) || run.text.length > LONGEST) return undefined;
  if (isCentsOfBefore(region, i, run)) return undefined;
  const text = joined(region, i, run);
  const parsed = parsePrice(text);
  if (parsed === undefined || Number(parsed.amount) === 0) return undefined;
  const { mark } = parsed;
  const named = (run.marks & MARK.price) !== 0;
  const currency = mark === undefined ? undefined : currencyOf(mark, locale);
  // a single letter or a short word is a currency only where the page sells in it, or beside a price's name
  const marked =
    currency !== undefined &&
    (isPlainMark(mark ?? '') || !currency.guessed) &&
    (named || isPlainMark(mark ?? ''));
  if (!marked && (!named || hasOtherWords(run.text) || isCount(region, i, run))) return undefined;
  const words = wordsAbout(region, i);
  const old = words.old || (run.marks & MARK.old) !== 0;
  const other = words.other || (run.marks & MARK.otherAmount) !== 0;
  const score = scoreOf(region, i, text, { marked, named, old, other, words });
  return {
    amount: parsed.amount,
    currency: marked ? currency?.iso : undefined,
    guessed: currency?.guessed === true,
    score,
    run,
    old,
    other,
    words,
    range:
      rangeIn(run.text) ?? rangeIn(`${region.runs[i - 1]?.text ?? ''} ${run.text}`) ?? rangeFrom(region, i),
    lowEnd: lowEndBefore(region, i),
  };
}

/** `1 - 9`, `10+`, and a number in the middle of a sentence: of how many pieces the page speaks. */
function isCount({ doc, runs }: Region, i: number, run: Run): boolean {
  if (/^\d{1,4}\s*(?:[-–—]\s*\d{1,4}|\+)$/.test(run.text)) return true;
  const next = runs[i + 1];
  return next !== undefined && next.owner === run.owner.parent && /^\p{L}/u.test(doc.run(next.at, 1));
}

interface Evidence {
  /** A currency stands beside it. */
  readonly marked: boolean;
  /** The markup around it is named for a price. */
  readonly named: boolean;
  readonly old: boolean;
  readonly other: boolean;
  readonly words: PriceWords;
}

function scoreOf(region: Region, i: number, text: string, evidence: Evidence): number {
  const run = region.runs[i] as Run;
  const { marks } = run;
  let score = WEIGHTS.base + nearness(run.distance);
  if (evidence.marked) score += WEIGHTS.currency;
  if (evidence.named) score += WEIGHTS.named;
  if ((marks & MARK.current) !== 0) score += WEIGHTS.current;
  if ((marks & MARK.buy) !== 0) score += WEIGHTS.buy;
  if ((marks & MARK.net) !== 0) score += WEIGHTS.beforeTax;
  if (evidence.old) score += WEIGHTS.old;
  if (evidence.other) score += WEIGHTS.other;
  score += WEIGHTS.card[cardOf(region, i, run)];
  if ((marks & MARK.related) !== 0) score += WEIGHTS.related;
  if ((marks & MARK.frame) !== 0) score += WEIGHTS.frame;
  if ((marks & MARK.linkAway) !== 0) score += WEIGHTS.linkAway;
  if ((marks & MARK.talk) !== 0) score += WEIGHTS.talk;
  score += evidence.words.against;
  if (evidence.words.labelled) score += WEIGHTS.labelled;
  const before = region.runs[i - 1]?.text ?? '';
  if (/[-–−+(]\s*$/.test(before) || /^\s*[-–−+(]/.test(text)) score += WEIGHTS.sign;
  if (run.text.length > 25) score += WEIGHTS.longText;
  if (!evidence.named && PROSE.test(run.text)) score += WEIGHTS.prose;
  return score;
}

/** A sentence of several words. */
const PROSE = /(?:\p{L}{2,}[\s,:]+){4}.*[.!?]$/u;

/** Just after the heading is where a price stands; far away another product's is as likely. */
function nearness(distance: number): number {
  if (distance >= 0) return WEIGHTS.behindHeading + Math.log2(1 + distance / 8) * WEIGHTS.perDoubling;
  return WEIGHTS.beforeHeading + Math.log2(1 - distance / 8) * WEIGHTS.perDoubling;
}
