import { currencyOf, isPlainMark, type Locale } from '../values/currency.ts';
import { parsePrice, rangeIn } from '../values/price.ts';
import { SCORE } from '../weights.ts';
import { withFormerMarked } from './former-price.ts';
import { foldLabel, skuLabelGroup } from './label-words.ts';
import { MARK } from './marks.ts';
import { withNetMarked } from './net-price.ts';
import { priceScore } from './price-score.ts';
import {
  hasOtherWords,
  isCentsOfBefore,
  isWithTax,
  joined,
  lowEndBefore,
  rangeFrom,
  wordsAbout,
} from './price-text.ts';
import type { Region, Run } from './region.ts';
import type { VisiblePrice } from './visible-price.ts';

const LONGEST = 60;
const WEIGHTS = SCORE.price;

/** Prices printed near the heading, in descending order of score. */
export function visiblePrices(region: Region, locale: Locale): VisiblePrice[] {
  const found: VisiblePrice[] = [];
  for (const [i, run] of region.runs.entries()) {
    const price = readPrice(region, i, run, locale);
    if (price !== undefined) found.push(price);
  }
  const counts = new Map<string, number>();
  for (const { amount, score } of found) if (score > 0) counts.set(amount, (counts.get(amount) ?? 0) + 1);
  return withNetMarked(withFormerMarked(region, found))
    .map((price) => ({
      ...price,
      score:
        price.score + Math.min((counts.get(price.amount) ?? 1) - 1, WEIGHTS.mostRepeated) * WEIGHTS.repeated,
    }))
    .filter(({ score }) => score >= WEIGHTS.least)
    .toSorted((a, b) => b.score - a.score || a.run.at - b.run.at);
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
  // a single letter or a short word is a currency only in markup named for a price, and if it is unambiguous
  const marked =
    currency !== undefined &&
    (isPlainMark(mark ?? '') || !currency.guessed) &&
    (named || isPlainMark(mark ?? ''));
  if (!marked && (!named || hasOtherWords(run.text) || isCount(region, i, run))) return undefined;
  if (isBehindSkuLabel(region, i)) return undefined;
  const words = wordsAbout(region, i);
  const old = words.old || (run.marks & MARK.old) !== 0;
  const other = words.other || ((run.marks & MARK.otherAmount) !== 0 && !isPerPiece(region, i));
  const score = priceScore(region, i, text, { marked, named, old, other, words });
  return {
    amount: parsed.amount,
    currency: marked ? currency?.iso : undefined,
    guessed: currency?.guessed === true,
    score,
    run,
    old,
    taxed: isWithTax(region, i),
    other,
    words,
    range:
      rangeIn(run.text) ?? rangeIn(`${region.runs[i - 1]?.text ?? ''} ${run.text}`) ?? rangeFrom(region, i),
    lowEnd: lowEndBefore(region, i),
  };
}

/** `£1.75` `/` `unit`: the price of one piece is the price, although the markup calls it a unit price. */
function isPerPiece({ runs }: Region, i: number): boolean {
  const behind = [runs[i], runs[i + 1], runs[i + 2]].map((run) => run?.text.slice(-20) ?? '').join(' ');
  return PER_PIECE.test(behind);
}

const PER_PIECE = /\d\s*(?:\/|per|pro|je)\s*(?:unit|each|ea|piece|pc|item|stück|stk|szt|kus|ks|шт)\b/iu;

/** `SKU` `E75033`: letters that some currency has for its sign are part of an article number. */
function isBehindSkuLabel({ runs }: Region, i: number): boolean {
  const label = runs[i - 1]?.text ?? '';
  return label.length <= LONGEST_LABEL && skuLabelGroup(foldLabel(label)) >= 0;
}

const LONGEST_LABEL = 30;

/** Whether a number is a quantity: `1 - 9`, `10+`, or a number within a sentence. */
function isCount({ doc, runs }: Region, i: number, run: Run): boolean {
  if (/^\d{1,4}\s*(?:[-–—]\s*\d{1,4}|\+)$/.test(run.text)) return true;
  const next = runs[i + 1];
  return next !== undefined && next.owner === run.owner.parent && /^\p{L}/u.test(doc.run(next.at, 1));
}
