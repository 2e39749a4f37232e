import { cleanText, type Fact, type FactExplanation } from '@touchstone/page/document';
import type { FactName, Group } from './fact-candidates.ts';
import { CHOICE } from './weights.ts';

/** A page may have thousands of candidates for a fact; the heaviest suffice to explain the choice. */
const MAX_CANDIDATES = 8;
/** Characters of a value or field name. */
const LONGEST = 120;

/** The candidates for a fact, best group first; undefined if there are none, and for descriptions. */
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
 * Confidence in the first group: its lead over the next one, times its strength, which reaches 1 at a score of
 * `CHOICE.fullStrength`.
 */
export function confidenceIn([first, ...others]: readonly Group[]): Pick<Fact, 'confidence' | 'doubts'> {
  if (first === undefined) return {};
  const rivals = others.filter(
    ({ score, all }) => score >= CHOICE.doubt && !all.every(({ yields }) => yields),
  );
  const next = Math.max(0, ...rivals.map(({ score }) => score));
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
