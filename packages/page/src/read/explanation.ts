import type { Fact, FactExplanation } from '../types.ts';
import type { FactName, Group } from './fact-candidates.ts';
import { cleanText } from './values/text.ts';
import { CHOICE } from './weights.ts';

/** A page may give thousands of values for a fact; the heaviest show why one was taken. */
const MAX_CANDIDATES = 8;
/** Characters of a value or a field. */
const LONGEST = 120;

/** Every value that was weighed for a fact, the heaviest first; undefined for none, and for running text. */
export function explained(fact: FactName, groups: readonly Group[]): FactExplanation | undefined {
  if (groups.length === 0 || fact === 'description') return undefined;
  const candidates = groups.flatMap(({ all, score }, i) =>
    all
      .toSorted((a, b) => b.weight - a.weight)
      .map(({ value, source, field, weight }) => ({
        value: cleanText(value, LONGEST),
        source,
        field: cleanText(field, LONGEST),
        weight: rounded(weight),
        score: rounded(score),
        chosen: i === 0,
      })),
  );
  const because = groups.length > 1 ? 'heaviest' : candidates.length > 1 ? 'sources_agree' : 'only_value';
  if (candidates[0]?.value.includes('\ufffd'))
    return { fact, because: 'garbled_set_aside', candidates: candidates.slice(0, MAX_CANDIDATES) };
  return { fact, because, candidates: candidates.slice(0, MAX_CANDIDATES) };
}

/**
 * How sure the first of the groups is: how far it outweighs the next, times its strength, which is full from the weight
 * of a statement for machines on.
 */
export function confidenceIn([first, ...others]: readonly Group[]): Pick<Fact, 'confidence' | 'doubts'> {
  if (first === undefined) return {};
  const next = Math.max(0, ...others.map(({ score }) => score).filter((score) => score >= CHOICE.doubt));
  const strength = Math.min(1, first.score / CHOICE.fullStrength);
  const doubts = [
    ...(others.some(({ best }) => best.weight >= CHOICE.finding) ? (['sources_disagree'] as const) : []),
    ...(first.best.inferred ? (['inferred'] as const) : []),
    ...(first.range !== undefined ? (['range_low_end'] as const) : []),
    ...(first.score < CHOICE.finding ? (['weak_source'] as const) : []),
  ];
  return {
    confidence: rounded(Math.max(0, strength * (1 - next / first.score))),
    ...(doubts.length > 0 && { doubts }),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
