import type { Candidate } from '../candidates.ts';
import type { El } from '../dom/document.ts';
import { brandText, skuText } from '../values/labels.ts';
import { SHOWN_BRAND, SHOWN_SKU } from '../weights.ts';
import { shownBrands } from './brand.ts';
import { BRAND_LABEL, foldLabel, isKnownLabel, SKU_LABELS } from './label-words.ts';
import { MARK } from './marks.ts';
import { type Region, type Run, sameBlock } from './region.ts';

/** Article number and brand by the labels that stand before them near the heading. */
export function labelCandidates(region: Region): { sku: Candidate[]; brand: Candidate[] } {
  const sku: Candidate[] = [];
  const brand: Candidate[] = [];
  for (const [i, run] of region.runs.entries()) {
    // close to the heading a rating's row often holds the number too
    const foreign =
      Math.abs(run.distance) <= NEAR ? MARK.related | MARK.frame : MARK.related | MARK.frame | MARK.talk;
    if ((run.marks & foreign) !== 0) continue;
    const pair = labelledValue(region, i, run);
    if (pair !== undefined) {
      addSku(pair, run, sku);
      addBrand(pair, run, brand);
    }
  }
  brand.push(...shownBrands(region));
  return { sku: bestOf(sku), brand: bestOf(brand) };
}

const NEAR = 20;

interface Pair {
  readonly label: string;
  readonly value: string;
  readonly colon: boolean;
}

function addSku({ label, value, colon }: Pair, run: Run, out: Candidate[]): void {
  const group = SKU_LABELS.findIndex((labels) => labels.test(label));
  if (group < 0) return;
  const sku = skuText(value);
  if (sku === undefined || !/\d/.test(sku) || !/^[\p{L}\p{N}][\p{L}\p{N}\-_./ ]*$/u.test(sku)) return;
  const weights = SHOWN_SKU;
  const weight =
    (weights.labels[group] ?? 0) -
    Math.abs(run.distance) * weights.perRun +
    (colon ? weights.colon : 0) +
    (sku.includes(' ') ? weights.severalWords : 0);
  out.push({ value: sku, source: 'html', field: `text:${label}`.slice(0, 60), weight });
}

function addBrand({ label, value }: Pair, run: Run, out: Candidate[]): void {
  if (!BRAND_LABEL.test(label)) return;
  const brand = brandText(value);
  if (brand === undefined || brand.length > 50 || !/\p{L}/u.test(brand)) return;
  const weight = SHOWN_BRAND.label - Math.abs(run.distance) * SHOWN_BRAND.perRun;
  out.push({ value: brand, source: 'html', field: `text:${label}`.slice(0, 60), weight });
}

function bestOf(candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted((a, b) => b.weight - a.weight).slice(0, 1);
}

/** `Label: value` in one run, or a label run with the value in the next one of its row. */
function labelledValue(region: Region, i: number, run: Run): Pair | undefined {
  const inline = /^([^:：#]{2,40}?)\s*(?:[:：#]|n[°º])\s*(.{1,80})$/u.exec(run.text.trim());
  if (inline?.[1] !== undefined && inline[2] !== undefined) {
    return { label: foldLabel(inline[1]), value: inline[2], colon: true };
  }
  if (run.text.length > 45) return undefined;
  const label = foldLabel(run.text);
  const next = region.runs[i + 1];
  if (next !== undefined && /^[:：#\s-]+$/.test(next.text)) {
    const value = region.runs[i + 2];
    return value === undefined ? undefined : { label, value: value.text, colon: true };
  }
  const inOne = spaced(run.text);
  if (next === undefined || (inOne !== undefined && isKnownLabel(inOne.label)) || !isLabelFor(run, next))
    return inOne;
  return { label, value: next.text.replace(/^[:：\s]+/, ''), colon: /[:：]\s*$/.test(run.text) };
}

/** `Produkta kods 520501927`: a label and a number with a space between. */
function spaced(text: string): Pair | undefined {
  const match = /^(\D{3,30}?)\s+([\p{L}\d][\p{L}\d\-_./]*\d[\p{L}\d\-_./]*)$/u.exec(text.trim());
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { label: foldLabel(match[1]), value: match[2], colon: false };
}

/** Whether the next run is the value of a label: it says so by a colon, or both stand in one row. */
function isLabelFor(run: Run, next: Run): boolean {
  if (/[:：#]\s*$/.test(run.text)) return true;
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
