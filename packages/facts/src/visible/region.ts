import type { El, HtmlDocument, PageIndex } from '@touchstone/page/document';
import { titleAgreement } from '../main-product.ts';
import { asciiDigits } from '../values/price.ts';
import { foldText } from '../values/text.ts';
import { SCORE } from '../weights.ts';
import type { Surroundings } from './context.ts';
import { MARK } from './marks.ts';
import { isRelatedTitle, markRelatedProducts } from './related-products.ts';

/** Maximum runs of text before and after the product's heading that are examined. */
const BEFORE = 250;
const AFTER = 900;
/** Maximum runs of a heading; an unclosed one contains the rest of the page. */
const WITHIN = 60;

/** Maximum characters of one run; longer runs are prose. */
const LONGEST_RUN = 600;

/** A run of text near the product's heading. */
export interface Run {
  /** Position in the document's runs. */
  readonly at: number;
  /** Distance from the heading in visible runs; negative before it. */
  readonly distance: number;
  readonly text: string;
  readonly owner: El;
  readonly marks: number;
}

/** The part of a page that shows the product: the heading that names it, and the text around it. */
export interface Region {
  readonly doc: HtmlDocument;
  readonly around: Surroundings;
  readonly heading: El;
  readonly runs: readonly Run[];
}

/**
 * Finds the heading that names the product, by agreement with the other names of the page, and the visible
 * runs around it.
 *
 * @returns `undefined` if no text on the page names the product
 */
export function findRegion(
  doc: HtmlDocument,
  index: PageIndex,
  around: Surroundings,
  names: readonly string[],
  siteNames: ReadonlySet<string>,
): Region | undefined {
  const heading = findHeading(doc, index, around, names, siteNames);
  if (heading === undefined) return undefined;
  around.trust(heading);
  const from = Math.max(0, heading.textFrom - BEFORE);
  const headingEnd = Math.min(heading.textTo, heading.textFrom + WITHIN);
  const to = Math.min(doc.textStart.length, headingEnd + AFTER);
  const runs: { -readonly [K in keyof Run]: Run[K] }[] = [];
  let visibleBefore = 0;
  for (let at = from; at < to; at++) {
    const owner = doc.textOwner[at];
    if (owner === undefined) continue;
    const marks = around.of(owner);
    if ((marks & MARK.hidden) !== 0) continue;
    const text = asciiDigits(doc.run(at, LONGEST_RUN)).replace(/\s+/g, ' ').trim();
    if (text === '') continue;
    if (at < heading.textFrom) visibleBefore++;
    runs.push({ at, distance: 0, text, owner, marks });
  }
  for (const [i, run] of runs.entries()) run.distance = i - visibleBefore;
  return { doc, around, heading, runs: markRelatedProducts(doc, index, heading, runs) };
}

/** The heading with the best score; the first of equals. */
function findHeading(
  doc: HtmlDocument,
  index: PageIndex,
  around: Surroundings,
  names: readonly string[],
  siteNames: ReadonlySet<string>,
): El | undefined {
  const weights = SCORE.heading;
  let best: El | undefined;
  let bestScore = 0;
  for (const el of index.headings.slice(0, 60)) {
    const bits = around.of(el);
    // a page may be hidden until its scripts have run, so being hidden only lowers the score
    const suspect =
      (bits & (MARK.frame | MARK.related | MARK.linkAway | MARK.hidden)) !== 0 ? weights.suspect : 0;
    const printed = doc.text(el, 400);
    const text = foldText(printed);
    if (text === '') continue;
    const agreement = titleAgreement(text, names);
    if (agreement < weights.fallback && (doc.inFallback(el) || isOtherHeading(printed))) continue;
    const words = text.split(' ').length;
    const beginning =
      words > 2 && names.some((name) => name.startsWith(text) || (el.name === 'h1' && beginAlike(name, text)))
        ? weights.beginning
        : 0;
    const shop = siteNames.has(text.replaceAll(' ', '')) ? weights.shopName : 0;
    const score =
      agreement +
      (el.name === 'h1' ? weights.h1 : 0) +
      Math.min(words, weights.mostWords) * weights.perWord +
      beginning +
      suspect +
      shop;
    if (score > bestScore + weights.margin) {
      best = el;
      bestScore = score;
    }
  }
  return bestScore >= weights.least ? best : findTitleText(doc, around, names);
}

/** Words with which a name and a heading must begin alike. */
const ALIKE = 3;

function beginAlike(name: string, heading: string): boolean {
  const words = heading.split(' ', ALIKE);
  return words.length === ALIKE && `${name} `.startsWith(`${words.join(' ')} `);
}

/** Whether an unconfirmed heading is a title of related products, or contains no letters, such as an amount. */
function isOtherHeading(printed: string): boolean {
  const text = printed.replace(/\s+/g, ' ').trim();
  return isRelatedTitle(text) || !/\p{L}/u.test(text);
}

/** Used if no heading element names the product: the element of the first text that is, or begins, a name of the page. */
function findTitleText(doc: HtmlDocument, around: Surroundings, names: readonly string[]): El | undefined {
  for (let at = 0; at < Math.min(doc.textStart.length, MAX_TITLE_RUNS); at++) {
    const length = (doc.textEnd[at] as number) - (doc.textStart[at] as number);
    if (length < 4 || length > 300) continue;
    const text = foldText(doc.run(at));
    // in scripts without spaces, names have fewer characters
    const dense = DENSE_SCRIPT.test(text);
    if (!dense && (length < 8 || text.split(' ').length < 2)) continue;
    if (!names.some((name) => name.startsWith(text) || (dense && text.length >= 6 && name.includes(text))))
      continue;
    const owner = doc.textOwner[at] as El;
    if ((around.of(owner) & (MARK.hidden | MARK.linkAway)) === 0) return owner;
  }
  return undefined;
}

const DENSE_SCRIPT = /[\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]/u;

const MAX_TITLE_RUNS = 3_000;

/** Maximum levels between two runs and their common element, and maximum runs in it. */
const BLOCK_LEVELS = 3;
const BLOCK_RUNS = 8;

/** Whether two runs, in document order, share a small common element. */
export function sameBlock(a: Run, b: Run): boolean {
  let at: El | null = a.owner;
  for (let level = 0; level <= BLOCK_LEVELS && at !== null; level++, at = at.parent) {
    if (b.owner.index < at.index || b.owner.index >= at.end) continue;
    return at.textTo - at.textFrom <= BLOCK_RUNS && b.owner.depth - at.depth <= BLOCK_LEVELS;
  }
  return false;
}
