import type { Fact, FactSource } from '../types.ts';

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
export interface Candidate {
  readonly value: string;
  readonly source: FactSource;
  readonly field: string;
  /** What the source is worth, 0 to 1. */
  readonly weight: number;
}

export type Candidates = Record<FactName, Candidate[]> & { images: Candidate[] };

export function noCandidates(): Candidates {
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

export function toFact(candidate: Candidate): Fact {
  return { value: candidate.value, source: candidate.source, field: candidate.field };
}
