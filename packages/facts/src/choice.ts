import { imageKey } from '@touchstone/certificate/binding';
import type { Fact, FactExplanation, Findings, PageFacts } from '@touchstone/page/document';
import { BOUNDS } from './bounds.ts';
import { confidenceIn, explained } from './explanation.ts';
import {
  described,
  type FactCandidate,
  type FactCandidates,
  type FactName,
  type Group,
  SINGLE_FACTS,
} from './fact-candidates.ts';
import { inWholeUnits, withoutCents } from './price-units.ts';
import { foldText } from './values/text.ts';
import { CHOICE, RECORD_SHARE } from './weights.ts';

/** The chosen facts, with the candidates that they were chosen from. */
export interface ChosenFacts {
  readonly facts: PageFacts;
  readonly explanation: readonly FactExplanation[];
}

/** Chooses one value per fact by weight. Sources that agree add to a value's score; a contradiction is reported as a finding. */
export function chooseFacts(candidates: FactCandidates, findings: Findings): ChosenFacts {
  const whole = inWholeUnits(candidates.price, candidates.currency);
  const price = chooseOne('price', withoutCents(whole), findings);
  const choices = SINGLE_FACTS.map((name) =>
    name === 'price' ? price : chooseOne(name, ofTheSame(name, price.fact, candidates[name]), findings),
  );
  const chosen = Object.fromEntries(choices.map(({ name, fact }) => [name, fact])) as Record<
    FactName,
    Fact | null
  >;
  const facts = { ...chosen, images: chooseImages(candidates.images), variant: null, offers: null };
  const explanation = choices.flatMap(({ name, groups }) => explained(name, groups) ?? []);
  if (
    price.fact === null ||
    Number(price.fact.value) !== 0 ||
    !UNAVAILABLE.has(facts.availability?.value ?? '')
  )
    return { facts, explanation };
  findings.add('price_zero_unavailable', `${price.fact.source} ${price.fact.field}.`);
  return {
    facts: { ...facts, price: null, currency: null },
    explanation: explanation.map((each) =>
      each.fact === 'price' ? { ...each, because: 'zero_set_aside' as const } : each,
    ),
  };
}

/** Availabilities with which a price of zero is dropped: shops write 0 for a missing price. */
const UNAVAILABLE: ReadonlySet<string> = new Set(['OutOfStock', 'SoldOut', 'Discontinued']);

/** Limits candidates for the currency to the place of the chosen price, if that place states one: the two belong together. */
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

interface Choice {
  readonly name: FactName;
  readonly fact: Fact | null;
  /** Sorted by score, highest first. */
  readonly groups: readonly Group[];
}

function chooseOne(name: FactName, candidates: readonly FactCandidate[], findings: Findings): Choice {
  const groups = groupsOf(name, candidates);
  const [first, ...others] = groups;
  if (first === undefined) return { name, fact: null, groups };
  const other = others.find(
    ({ best }, i) => (i === 0 && best.weight >= CHOICE.finding) || isStatedZero(name, best),
  );
  if (other !== undefined && REPORTED.has(name))
    findings.add('facts_disagree', `${name}: ${described(first.best)}; ${described(other.best)}.`);
  if (first.range !== undefined)
    findings.add('price_range', `${first.range} (${first.best.source} ${first.best.field}).`);
  if (first.best.inferred) findings.add('fact_inferred', `${name}: ${described(first.best)}.`);
  if (isGarbled(first.best.value)) {
    findings.add('text_garbled', `${name}: ${described(first.best)}.`);
    return { name, fact: null, groups };
  }
  const fact = toFact(first.best);
  return { name, fact: REPORTED.has(name) ? { ...fact, ...confidenceIn(groups) } : fact, groups };
}

/** Whether the value contains U+FFFD, which replaces bytes that are invalid in the page's encoding. */
function isGarbled(value: string): boolean {
  return value.includes('\ufffd');
}

function groupsOf(name: FactName, candidates: readonly FactCandidate[]): Group[] {
  const byKey = new Map<string, FactCandidate[]>();
  for (const candidate of candidates) {
    const key = keyOf(name, candidate.value);
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [candidate]);
    else group.push(candidate);
  }
  return [...byKey.values()].map(groupOf).toSorted((a, b) => b.score - a.score);
}

function groupOf(all: readonly FactCandidate[]): Group {
  const weights = new Map<string, number>();
  let best = all[0] as FactCandidate;
  for (const candidate of all) {
    if (candidate.weight > best.weight) best = candidate;
    const place = placeOf(candidate);
    weights.set(place, Math.max(weights.get(place) ?? 0, candidate.weight));
  }
  const sum = [...weights.values()].reduce((total, weight) => total + weight, 0);
  const range = all.find((candidate) => candidate.range !== undefined)?.range;
  const score = best.weight + CHOICE.agreement * (sum - best.weight);
  return { best, all, score, ...(range !== undefined && { range }) };
}

/** Whether this is a stated price of zero: it is reported even where another price is chosen. */
function isStatedZero(name: FactName, { value, weight }: FactCandidate): boolean {
  return name === 'price' && Number(value) === 0 && weight > RECORD_SHARE.otherOffer;
}

/** Facts whose contradictions are reported. Names and descriptions are left out: their wording always differs. */
const REPORTED: ReadonlySet<FactName> = new Set(['price', 'currency', 'availability', 'sku', 'brand']);

function keyOf(name: FactName, value: string): string {
  if (name === 'price') return value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  return name === 'brand' || name === 'sku' || name === 'name' ? foldText(value) || value : value;
}

function chooseImages(candidates: readonly FactCandidate[]): Fact[] {
  const facts = new Map<string, Fact>();
  for (const candidate of candidates) {
    if (facts.size >= BOUNDS.images) break;
    // U+FFFD, percent-encoded
    if (/%EF%BF%BD/i.test(candidate.value)) continue;
    const key = imageKey(candidate.value) ?? candidate.value;
    if (!facts.has(key)) facts.set(key, toFact(candidate));
  }
  return [...facts.values()];
}

function toFact(candidate: FactCandidate): Fact {
  return { value: candidate.value, source: candidate.source, field: candidate.field };
}
