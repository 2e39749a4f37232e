import type { El, HtmlDocument } from '../dom/document.ts';
import type { FactCandidate } from '../fact-candidates.ts';
import type { PageLinks } from '../links.ts';
import { skuText } from '../values/text.ts';
import { CHOICE, SHOWN_SKU, STATED_SKU_SHARE } from '../weights.ts';
import { foldLabel, isKnownLabel } from './label-words.ts';
import { bestOf } from './labels.ts';
import { MARK } from './marks.ts';
import { pageIdCandidates } from './page-id.ts';
import type { Region, Run } from './region.ts';

/**
 * Numbers that the data states, that the page prints under a label, and that its address carries. Data often
 * states an internal number; the one that customers see wins where the stated one is printed nowhere.
 */
export function skuCandidates(
  { doc, links }: { readonly doc: HtmlDocument; readonly links: PageLinks },
  region: Region,
  given: readonly FactCandidate[],
  labelled: readonly FactCandidate[],
): FactCandidate[] {
  const stated = given.filter(({ onlyPrinted, value }) => onlyPrinted !== true || isPrinted(region, [value]));
  const ids = pageIdCandidates(doc, links.url);
  const weighed = stated.map((candidate) => ({
    ...candidate,
    weight: isOpened(candidate) ? candidate.weight : candidate.weight * shareOf(candidate.value, ids),
  }));
  const printed = bestOf([...labelled, ...namedSkus(region)]).map((candidate) =>
    stated.length > 0 &&
    !stated.some(isOpened) &&
    candidate.weight >= CHOICE.sureSkuLabel &&
    !stated.some(({ value }) => isPrinted(region, [value]) && !isPrintedAsId(region, value))
      ? { ...candidate, weight: SHOWN_SKU.overStated }
      : candidate,
  );
  return [...weighed, ...printed, ...ids];
}

/** The number that the shop's own data gives to the variant that the page shows. */
function isOpened({ weight }: FactCandidate): boolean {
  return weight >= CHOICE.openedOffer;
}

/** Whether one of the stated numbers stands in the text near the heading. */
function isPrinted({ runs }: Region, stated: readonly string[]): boolean {
  const printed = ` ${runs.map(({ text }) => text.toLowerCase()).join(' ')} `.replace(/[():,;#]/g, ' ');
  return stated.some((value) => printed.includes(` ${value.toLowerCase().replace(/[():,;#]/g, ' ')} `));
}

/** Whether a number is printed only behind a label that calls it an id: the database's, not what customers order by. */
function isPrintedAsId({ runs }: Region, value: string): boolean {
  const places = runs.flatMap(({ text }, i) => (text.includes(value) ? [i] : []));
  return (
    places.length > 0 &&
    places.every((i) => {
      const text = runs[i]?.text ?? '';
      const before = text.slice(0, text.indexOf(value)).trim() || (runs[i - 1]?.text ?? '');
      return ID_LABEL.test(before.trim());
    })
  );
}

const ID_LABEL = /^(?:(?:product|item|internal|prod\.?|produkt|artikel)[ -]?)?id\s*[:：#]?$/i;

/** A GTIN or a model's name of several words in the place of an article number is worth less. */
function shareOf(sku: string, ids: readonly FactCandidate[]): number {
  if (isGtin(sku) && ids.length > 0) return STATED_SKU_SHARE.gtin;
  return sku.includes(' ') ? STATED_SKU_SHARE.severalWords : 1;
}

/** GTIN-12, GTIN-13 or GTIN-14 with a sound check digit (GS1 General Specifications 7.9). */
function isGtin(text: string): boolean {
  if (!/^\d{12,14}$/.test(text)) return false;
  const digits = [...text].map(Number).toReversed();
  const sum = digits.reduce((total, digit, i) => total + (i % 2 === 1 ? digit * 3 : digit), 0);
  return sum % 10 === 0;
}

/** Runs around the heading within which an element named for the number speaks of the product. */
const NAMED_BEFORE = 15;
const NAMED_AFTER = 60;
const FOREIGN = MARK.related | MARK.frame | MARK.talk;
/** A code with a digit, and no amount, date or rating. */
const CODE = /^(?=.*\d)[\p{L}\p{N}][\p{L}\p{N}\-_./]{2,39}$/u;

/** Text of an element that is named for an article number, close to the heading; only where there is one. */
function namedSkus({ runs, around }: Region): FactCandidate[] {
  const found = new Map<string, FactCandidate>();
  for (const run of runs) {
    if (run.distance < -NAMED_BEFORE || run.distance > NAMED_AFTER || (run.marks & FOREIGN) !== 0) continue;
    if (!isNamed(run, (el) => (around.own(el) & MARK.sku) !== 0)) continue;
    const value = skuText(run.text);
    if (value === undefined || !CODE.test(value) || isKnownLabel(foldLabel(value))) continue;
    found.set(value, { value, source: 'html', field: 'text:named', weight: SHOWN_SKU.named });
  }
  return found.size === 1 ? [...found.values()] : [];
}

/** By a name of its own, or of a wrapper that holds little else. */
function isNamed({ owner }: Run, named: (el: El) => boolean): boolean {
  let el: El | null = owner;
  for (let level = 0; level < 3 && el !== null && el.textTo - el.textFrom <= 2; level++, el = el.parent)
    if (named(el)) return true;
  return false;
}
