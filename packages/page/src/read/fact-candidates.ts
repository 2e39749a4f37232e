import type { FactSource } from '../types.ts';
import type { Findings } from './findings.ts';
import { isNegative } from './values/price.ts';
import { cleanText } from './values/text.ts';

/** The attributes of a product of which a page states one value. */
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

/** One normalised value that a source gives for a fact. */
export interface FactCandidate {
  readonly value: string;
  readonly source: FactSource;
  readonly field: string;
  /** What the source is worth (`weights.ts`): the highest wins. */
  readonly weight: number;
  /** Not stated but concluded, such as a stock from a button to buy. */
  readonly inferred?: true;
  /** Counts only where the page prints it too: one of several variants' article numbers, or a number of many words. */
  readonly onlyPrinted?: true;
  /** The range of prices whose low end this is, as it is written. */
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

/** One value with the best source that gives it, and what each kind of source is worth. */
export interface Group {
  readonly best: FactCandidate;
  readonly range?: string;
  /** All that give it, as they were met. */
  readonly all: readonly FactCandidate[];
  /** The best source's weight, and a share of those that agree with it. */
  readonly score: number;
}

/** Reports a statement that is no value of the fact it stands for; `field` as in a fact. */
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
