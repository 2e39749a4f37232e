import { cleanText, type FactSource, type Findings } from '@touchstone/page/document';
import { isNegative } from './values/price.ts';

/** Facts with a single value. */
export const SINGLE_FACTS = [
  'name',
  'description',
  'price',
  'currency',
  'availability',
  'sku',
  'brand',
] as const;

export type FactName = (typeof SINGLE_FACTS)[number];

/** A normalised value that a source states for a fact. */
export interface FactCandidate {
  readonly value: string;
  readonly source: FactSource;
  readonly field: string;
  /** Weight of the source (`weights.ts`). */
  readonly weight: number;
  /** The value is not stated but inferred, for example an availability from a buy button. */
  readonly inferred?: true;
  /** Counts only if the page prints it too: the article number of one of several variants, or one of many words. */
  readonly onlyPrinted?: true;
  /** It is known not to be the price: a placeholder of zero, or stated before tax. It yields to every other price. */
  readonly yields?: true;
  /** The price range, as written, of which this value is the low end. */
  readonly range?: string;
}

export type FactCandidates = Record<FactName, FactCandidate[]> & { images: FactCandidate[] };

export function noFactCandidates(): FactCandidates {
  return {
    name: [],
    description: [],
    price: [],
    currency: [],
    availability: [],
    sku: [],
    brand: [],
    images: [],
  };
}

/** Candidates with the same value. */
export interface Group {
  readonly best: FactCandidate;
  readonly range?: string;
  /** All candidates, in the order in which they were found. */
  readonly all: readonly FactCandidate[];
  /** Weight of the best candidate, plus a share of the weights of the other places that agree with it. */
  readonly score: number;
}

/** Adds a finding for a statement that cannot be parsed as a value of its fact. */
export function addUnread(
  findings: Findings,
  name: FactName,
  { value, source, field }: Omit<FactCandidate, 'weight'>,
): void {
  const text = cleanText(value, 100);
  if (text === '') return;
  if (name === 'price' && isNegative(text))
    findings.add('price_negative', `${described({ value: text, source, field })}.`);
  else findings.add('fact_unread', `${name}: ${described({ value: text, source, field })}.`);
}

export function described({ value, source, field }: Omit<FactCandidate, 'weight'>): string {
  return `“${value}” (${source} ${field})`;
}
