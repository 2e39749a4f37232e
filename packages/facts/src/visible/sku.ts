import type { El, HtmlDocument, PageLinks } from '@touchstone/page/document';
import type { FactCandidate } from '../fact-candidates.ts';
import { skuText } from '../values/text.ts';
import { CHOICE, SHOWN_SKU, STATED_SKU_SHARE } from '../weights.ts';
import { foldLabel, isKnownLabel } from './label-words.ts';
import { bestOf } from './labels.ts';
import { MARK } from './marks.ts';
import { pageIdCandidates } from './page-id.ts';
import type { Region, Run } from './region.ts';

/**
 * Article numbers from structured data, printed labels and the page's URL. Structured data often states an internal
 * number; a labelled number overrules it if the page prints the stated one nowhere.
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

/** Whether a candidate is the number of the variant that the page shows, from the shop's embedded data. */
function isOpened({ weight }: FactCandidate): boolean {
  return weight >= CHOICE.openedOffer;
}

/** Whether the text near the heading contains one of the stated numbers. */
function isPrinted({ runs }: Region, stated: readonly string[]): boolean {
  const printed = ` ${runs.map(({ text }) => text.toLowerCase()).join(' ')} `.replace(/[():,;#]/g, ' ');
  return stated.some((value) => printed.includes(` ${value.toLowerCase().replace(/[():,;#]/g, ' ')} `));
}

/** Whether a number is only printed after a label such as "id": a database id, not an article number for ordering. */
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

/** The share of its weight that a stated number keeps: less for a GTIN, or for several words, often a model's name. */
function shareOf(sku: string, ids: readonly FactCandidate[]): number {
  if (isGtin(sku) && ids.length > 0) return STATED_SKU_SHARE.gtin;
  return sku.includes(' ') ? STATED_SKU_SHARE.severalWords : 1;
}

/** Whether a text is a GTIN-12, GTIN-13 or GTIN-14 with a valid check digit (GS1 General Specifications 7.9). */
function isGtin(text: string): boolean {
  if (!/^\d{12,14}$/.test(text)) return false;
  const digits = [...text].map(Number).toReversed();
  const sum = digits.reduce((total, digit, i) => total + (i % 2 === 1 ? digit * 3 : digit), 0);
  return sum % 10 === 0;
}

/** Maximum runs before and after the heading within which an element named for an article number refers to the product. */
const NAMED_BEFORE = 15;
const NAMED_AFTER = 60;
const FOREIGN = MARK.related | MARK.frame | MARK.talk;
/** A code that contains a digit. */
const CODE = /^(?=.*\d)[\p{L}\p{N}][\p{L}\p{N}\-_./]{2,39}$/u;

/** Text of an element near the heading that is named for an article number, if all such elements agree. */
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

/** Whether the run's element, or a wrapper with at most two runs, has such a name. */
function isNamed({ owner }: Run, named: (el: El) => boolean): boolean {
  let el: El | null = owner;
  for (let level = 0; level < 3 && el !== null && el.textTo - el.textFrom <= 2; level++, el = el.parent)
    if (named(el)) return true;
  return false;
}
