import type { Fact, FactSource, PageFacts } from '../types.ts';
import { BOUNDS } from './bounds.ts';
import type { Findings } from './findings.ts';
import { imageKey } from './values/images.ts';
import { isNegative } from './values/price.ts';
import { cleanText, foldText } from './values/text.ts';
import { CHOICE, RECORD_SHARE } from './weights.ts';

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

export function toFact(candidate: FactCandidate): Fact {
  return { value: candidate.value, source: candidate.source, field: candidate.field };
}

/** Chooses one value per fact: the best source wins, agreement raises, disagreement is a finding. */
export function chooseFacts(candidates: FactCandidates, findings: Findings): PageFacts {
  const price = chooseOne('price', withoutCents(candidates.price), findings);
  const chosen = Object.fromEntries(
    SINGLE_FACTS.map((name) => [
      name,
      name === 'price' ? price : chooseOne(name, ofTheSame(name, price, candidates[name]), findings),
    ]),
  ) as Record<FactName, Fact | null>;
  const images = chooseImages(candidates.images);
  if (price === null || Number(price.value) !== 0 || !UNAVAILABLE.has(chosen.availability?.value ?? ''))
    return { ...chosen, images };
  findings.add('price_zero_unavailable', `${price.source} ${price.field}.`);
  return { ...chosen, price: null, currency: null, images };
}

/** With one of these a price of zero is none: shops without a price write it so. */
const UNAVAILABLE: ReadonlySet<string> = new Set(['OutOfStock', 'SoldOut', 'Discontinued']);

/** Without whole numbers that are a hundred times what another source gives: some themes write cents. */
function withoutCents(candidates: readonly FactCandidate[]): readonly FactCandidate[] {
  const sure = candidates.filter(({ weight }) => weight >= CHOICE.againstCents);
  const inCents = new Set(sure.map(({ value }) => Number(value) * 100));
  return candidates.filter(({ value }) => !/^\d{3,}$/.test(value) || !inCents.has(Number(value)));
}

/** A price and its currency are one statement: the currency comes from where the price does, if it is there. */
function ofTheSame(
  name: FactName,
  price: Fact | null,
  candidates: readonly FactCandidate[],
): readonly FactCandidate[] {
  if (name !== 'currency' || price === null) return candidates;
  const beside = candidates.filter((candidate) => placeOf(candidate) === placeOf(price));
  return beside.some(({ weight }) => weight >= CHOICE.finding) ? beside : candidates;
}

function placeOf({ source, field }: Pick<FactCandidate, 'source' | 'field'>): string {
  return source === 'html' ? `html ${field.split(/[:.]/, 1)[0]}` : source;
}

/** One value with the best source that gives it, and what each kind of source is worth. */
interface Group {
  best: FactCandidate;
  range?: string;
  readonly weights: Map<string, number>;
}

function chooseOne(name: FactName, candidates: readonly FactCandidate[], findings: Findings): Fact | null {
  const groups = new Map<string, Group>();
  for (const candidate of candidates) {
    const key = keyOf(name, candidate.value);
    const group = groups.get(key) ?? { best: candidate, weights: new Map<string, number>() };
    groups.set(key, group);
    if (candidate.weight > group.best.weight) group.best = candidate;
    if (candidate.range !== undefined) group.range ??= candidate.range;
    const place = placeOf(candidate);
    group.weights.set(place, Math.max(group.weights.get(place) ?? 0, candidate.weight));
  }
  const [first, ...others] = [...groups.values()].toSorted((a, b) => scoreOf(b) - scoreOf(a));
  if (first === undefined) return null;
  const other = others.find(
    ({ best }, i) => (i === 0 && best.weight >= CHOICE.finding) || isStatedZero(name, best),
  );
  if (other !== undefined && REPORTED.has(name))
    findings.add('facts_disagree', `${name}: ${described(first.best)}; ${described(other.best)}.`);
  if (first.range !== undefined)
    findings.add('price_range', `${first.range} (${first.best.source} ${first.best.field}).`);
  if (first.best.inferred) findings.add('fact_inferred', `${name}: ${described(first.best)}.`);
  return toFact(first.best);
}

/** A price of nothing that is set aside for another one is told: it was stated. */
function isStatedZero(name: FactName, { value, weight }: FactCandidate): boolean {
  return name === 'price' && Number(value) === 0 && weight > RECORD_SHARE.otherOffer;
}

/** The best source's weight, and a share of those that agree with it. */
function scoreOf({ best, weights }: Group): number {
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return best.weight + CHOICE.agreement * (all - best.weight);
}

/** Names and descriptions always differ in wording. */
const REPORTED: ReadonlySet<FactName> = new Set(['price', 'currency', 'availability', 'sku', 'brand']);

/** Tells of something stated that is no value of the fact it stands for; `field` as in a fact. */
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

function described({ value, source, field }: Omit<FactCandidate, 'weight'>): string {
  return `“${value}” (${source} ${field})`;
}

function keyOf(name: FactName, value: string): string {
  if (name === 'price') return value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  return name === 'brand' || name === 'sku' || name === 'name' ? foldText(value) || value : value;
}

function chooseImages(candidates: readonly FactCandidate[]): Fact[] {
  const facts = new Map<string, Fact>();
  for (const candidate of candidates) {
    if (facts.size >= BOUNDS.images) break;
    const key = imageKey(candidate.value);
    if (!facts.has(key)) facts.set(key, toFact(candidate));
  }
  return [...facts.values()];
}
