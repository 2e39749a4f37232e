import type { El } from '@touchstone/page/document';
import type { FactCandidate } from '../fact-candidates.ts';
import { brandText, skuText } from '../values/text.ts';
import { SHOWN_BRAND, SHOWN_SKU } from '../weights.ts';
import { bylineName } from './byline.ts';
import { columnValues } from './column-labels.ts';
import { BRAND_LABELS, COUNTRIES, foldLabel, isKnownLabel, skuLabelGroup } from './label-words.ts';
import { MARK } from './marks.ts';
import { type Region, type Run, sameBlock } from './region.ts';

/** The best article number and all brands that follow their labels near the heading. */
export function labelCandidates(region: Region): { sku: FactCandidate[]; brand: FactCandidate[] } {
  const sku: FactCandidate[] = [];
  const brand: FactCandidate[] = [];
  for (const [i, run] of region.runs.entries()) {
    if ((run.marks & foreignAt(Math.abs(run.distance))) !== 0) continue;
    for (const pair of labelledValues(region, i, run)) {
      addSku(pair, run, sku);
      addBrand(pair, run, brand);
    }
  }
  for (const { label, value } of columnValues(region))
    addSku({ label: foldLabel(label), value, mark: 'space' }, { distance: COLUMN_DISTANCE }, sku);
  return { sku: bestOf(sku), brand };
}

/** The distance from the heading, in runs, that is assumed for values in a table. */
const COLUMN_DISTANCE = 60;

/** Marks to exclude, by distance: near the heading, a row of ratings may contain the number; next to it, a breadcrumb. */
function foreignAt(distance: number): number {
  if (distance <= BESIDE) return MARK.related | MARK.linkAway;
  return distance <= NEAR ? MARK.related | MARK.frame : MARK.related | MARK.frame | MARK.talk;
}

const BESIDE = 2;
const NEAR = 20;

interface Pair {
  readonly label: string;
  readonly value: string;
  /** The separator between label and value. */
  readonly mark: 'colon' | 'dash' | 'space';
}

function addSku({ label, value, mark }: Pair, run: Pick<Run, 'distance'>, out: FactCandidate[]): void {
  const group = skuLabelGroup(label);
  if (group < 0) return;
  const sku = skuText(value.split(/\s*[|·•;,]\s*/u, 1)[0] ?? '');
  // a dash also joins words: `Model - 2024 edition`
  if (mark === 'dash' && sku?.includes(' ') === true) return;
  if (sku === undefined || !/^[\p{L}\p{N}][\p{L}\p{N}\-_./ ]*$/u.test(sku)) return;
  if (!/\d/.test(sku) && !(mark === 'colon' && group < 2 && LETTERS.test(sku))) return;
  const { labels, added } = SHOWN_SKU;
  const weight =
    (labels[group] ?? 0) +
    Math.abs(run.distance) * added.perRun +
    (mark === 'colon' ? added.colon : 0) +
    (sku.includes(' ') ? added.severalWords : 0);
  out.push({ value: sku, source: 'html', field: `text:${label}`.slice(0, 60), weight });
}

/** An article number without digits: hyphenated capitals, such as `IG-PWRTWR`, but not `N/A`. */
const LETTERS = /^(?=.{5,40}$)\p{Lu}+(?:[-_]\p{Lu}+)+$/u;

const PLURALS: ReadonlySet<string> = new Set(
  'brands marken marques marcas merken märken značky marki производители виробники бренды бренди manufacturers fabricantes fabricants produttori producenci výrobci výrobcovia proizvođači proizvajalci producători üreticiler'.split(
    ' ',
  ),
);

function addBrand({ label, value, mark }: Pair, run: Run, out: FactCandidate[]): void {
  // without a colon, or markup named for the brand, a plural may be the heading of a list
  const named = mark === 'colon' || (run.marks & MARK.brand) !== 0;
  if (!BRAND_LABELS.has(label) || (!named && PLURALS.has(label))) return;
  const [text = ''] = value.split(/\s*[|·•;]\s*/u, 1);
  const brand = brandText(bylineName(text) ?? text);
  if (brand === undefined || brand.length > 50 || !/\p{L}/u.test(brand) || COUNTRIES.has(brand.toLowerCase()))
    return;
  const weight = SHOWN_BRAND.label + Math.abs(run.distance) * SHOWN_BRAND.added.perRun;
  out.push({ value: brand, source: 'html', field: `text:${label}`.slice(0, 60), weight });
}

/** The candidate with the highest weight, the first of equals. */
export function bestOf(candidates: readonly FactCandidate[]): FactCandidate[] {
  return candidates.toSorted((a, b) => b.weight - a.weight).slice(0, 1);
}

/** Pairs of `Label: value` in one run, or a label and the value in the next run of its row. */
function labelledValues(region: Region, i: number, run: Run): readonly Pair[] {
  const inline = inlinePairs(run.text);
  if (inline.length > 0 || run.text.length > LONGEST_LABEL_RUN) return inline;
  const next = region.runs[i + 1];
  if (next === undefined) return spaced(run.text);
  const ended = /(?:[:：#]|\s[–—-])\s*$/u.test(run.text);
  const label = (ended ? labelAtEnd(run.text)?.label : undefined) ?? foldLabel(run.text);
  if (/^[:：#\s–—-]+$/u.test(next.text)) {
    const value = region.runs[i + 2];
    return value === undefined ? [] : [{ label, value: value.text, mark: 'colon' }];
  }
  const inOne = spaced(run.text);
  if (inOne.some((pair) => isKnownLabel(pair.label)) || !isLabelFor(run, next)) return inOne;
  const mark = /[:：]\s*$/.test(run.text) ? 'colon' : /[–—-]\s*$/u.test(run.text) ? 'dash' : 'space';
  return [{ label, value: next.text.replace(/^[:：\s]+/, ''), mark }];
}

const LONGEST_LABEL_RUN = 45;
/** Maximum characters of a run that may contain several labels with values. */
const LONGEST_INLINE = 200;
const LONGEST_VALUE = 80;
const SEPARATOR = /[:：#]|n[°º]|\s[–—-](?=\s)/gu;

/** Known labels within one run, each with the text up to the next as its value. */
function inlinePairs(text: string): Pair[] {
  if (text.length > LONGEST_INLINE) return [];
  const found: { label: string; from: number; to: number; mark: Pair['mark'] }[] = [];
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(SEPARATOR)) {
    const known = labelAtEnd(text.slice(from, index));
    const to = index + mark.length;
    if (known !== undefined)
      found.push({
        label: known.label,
        from: from + known.at,
        to,
        mark: /^\s/.test(mark) ? 'dash' : 'colon',
      });
    from = to;
  }
  return found.flatMap(({ label, to, mark }, i) => {
    const value = text.slice(to, found[i + 1]?.from).trim();
    return value === '' || value.length > LONGEST_VALUE ? [] : [{ label, value, mark }];
  });
}

/** The known label that a text is, or ends with, as in `In stock. Brand:`; after other text, it must be capitalised. */
function labelAtEnd(text: string): { label: string; at: number } | undefined {
  const whole = foldLabel(text);
  if (whole.length <= LONGEST_LABEL && isKnownLabel(whole)) return { label: whole, at: 0 };
  const starts = [...text.matchAll(/(?<=[\s.,;|/·•()])[\p{Lu}\p{Lo}]/gu)].slice(-MOST_LABEL_WORDS);
  for (const { index } of starts) {
    const label = foldLabel(text.slice(index));
    if (isKnownLabel(label)) return { label, at: index };
  }
  return undefined;
}

const LONGEST_LABEL = 40;
const MOST_LABEL_WORDS = 4;

/** A label and a number separated by a space: `Produkta kods 520501927`. */
function spaced(text: string): readonly Pair[] {
  const match = /^(\D{3,30}?)\s+([\p{L}\d][\p{L}\d\-_./]*\d[\p{L}\d\-_./]*)$/u.exec(text.trim());
  if (match?.[1] === undefined || match[2] === undefined) return [];
  return [{ label: foldLabel(match[1]), value: match[2], mark: 'space' }];
}

/** Whether the next run is a label's value: the label ends with a separator, or both are in one row. */
function isLabelFor(run: Run, next: Run): boolean {
  if (/(?:[:：#]|\s[–—-])\s*$/u.test(run.text)) return true;
  const shared = rowOf(run);
  if ((shared !== undefined && shared === rowOf(next)) || run.owner.parent === next.owner.parent) return true;
  return isKnownLabel(foldLabel(run.text)) && sameBlock(run, next);
}

function rowOf(run: Run): El | undefined {
  let el = run.owner;
  for (let level = 0; level < 4 && el.parent !== null; level++) {
    if (el.name === 'tr' || el.name === 'dl' || el.name === 'li') return el;
    el = el.parent;
  }
  return undefined;
}
