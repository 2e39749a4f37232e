import { SCORE } from '../weights.ts';
import { cardOf } from './cards.ts';
import { MARK } from './marks.ts';
import type { PriceWords } from './price-text.ts';
import type { Region, Run } from './region.ts';

const WEIGHTS = SCORE.price;

/** The properties of an amount that determine its score. */
export interface PriceEvidence {
  /** A currency is printed with it. */
  readonly marked: boolean;
  /** Class or id names around it refer to a price. */
  readonly named: boolean;
  readonly old: boolean;
  readonly other: boolean;
  readonly words: PriceWords;
}

/** Scores how likely an amount is the price (`SCORE.price`). */
export function priceScore(region: Region, i: number, text: string, evidence: PriceEvidence): number {
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

/** A sentence: at least four consecutive words and final punctuation. */
const PROSE = /(?:\p{L}{2,}[\s,:]+){4}.*[.!?]$/u;

/** Prices usually follow the heading closely; farther away, they may belong to another product. */
function nearness(distance: number): number {
  if (distance >= 0) return WEIGHTS.behindHeading + Math.log2(1 + distance / 8) * WEIGHTS.perDoubling;
  return WEIGHTS.beforeHeading + Math.log2(1 - distance / 8) * WEIGHTS.perDoubling;
}
