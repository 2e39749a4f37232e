import type { El } from '@touchstone/page/document';
import type { FactCandidate } from '../fact-candidates.ts';
import { brandText, foldText } from '../values/text.ts';
import { CHOICE, SHOWN_BRAND } from '../weights.ts';
import { bylineName } from './byline.ts';
import { BRAND_LABELS, foldLabel } from './label-words.ts';
import { bestOf } from './labels.ts';
import { MARK } from './marks.ts';
import type { Region, Run } from './region.ts';

/**
 * Candidates for the brand that the page prints, with a label or, near the heading, without one. A labelled brand overrules
 * the stated one if the page prints the stated one nowhere.
 */
export function brandCandidates(
  region: Region,
  stated: readonly FactCandidate[],
  labelled: readonly FactCandidate[],
): FactCandidate[] {
  const [sure] = bestOf(labelled);
  const over =
    sure !== undefined &&
    sure.weight >= CHOICE.sureBrandLabel &&
    stated.length > 0 &&
    !isPrinted(region, stated);
  return over ? [{ ...sure, weight: SHOWN_BRAND.overStated }] : bestOf([...labelled, ...shownBrands(region)]);
}

/** Whether the text near the heading contains one of the stated brands. */
function isPrinted({ runs }: Region, stated: readonly FactCandidate[]): boolean {
  const printed = ` ${foldText(runs.map(({ text }) => text).join(' '))} `;
  return stated.some(({ value }) => printed.includes(` ${foldText(value)} `));
}

/** Removes brands that are only digits and printed nowhere: database ids of brands. */
export function withoutBrandIds(region: Region, stated: readonly FactCandidate[]): FactCandidate[] {
  return stated.filter((candidate) => !/^\d{3,}$/.test(candidate.value) || isPrinted(region, [candidate]));
}

/** Brands near the heading without a label: in a byline, an element named for the brand, a link, or an image. */
function shownBrands(region: Region): FactCandidate[] {
  return [...bylines(region), ...namedBrand(region), ...linkedBrand(region), ...brandLogo(region)];
}

function bylines({ runs }: Region): FactCandidate[] {
  return runs.flatMap((run) => {
    const value = (run.marks & FOREIGN) === 0 ? bylineOf(run) : undefined;
    return value === undefined
      ? []
      : [{ value, source: 'html', field: 'text:byline', weight: SHOWN_BRAND.byline }];
  });
}

const FOREIGN = MARK.related | MARK.frame | MARK.talk;

function bylineOf(run: Run): string | undefined {
  const text = run.text.trim();
  if (Math.abs(run.distance) > 60 || text.length > 80) return undefined;
  const name = bylineName(text);
  return name !== undefined && isBrandLike(name) ? brandText(name) : undefined;
}

/** Excludes product categories (`women's heels`) and fragments of sentences: the last of several words must be part of a name. */
function isBrandLike(name: string): boolean {
  const words = name.split(/\s+/);
  const last = words.at(-1) ?? '';
  if (words.length > 5 || /[.!?]$/.test(last) || KINDS.test(last)) return false;
  return words.length === 1 || !/^\p{Ll}/u.test(last);
}

const KINDS =
  /^(?:series|collections?|products?|styles?|items?|brands?|categor(?:y|ies)|serie|produkte|kollektion)$/i;

/** Text near the heading of an element whose class or id name refers to a brand. */
function namedBrand(region: Region): FactCandidate[] {
  const named = region.runs.filter(
    (run) =>
      (run.marks & FOREIGN) === 0 &&
      run.distance > -15 &&
      run.distance < 25 &&
      run.text.length <= 40 &&
      isNamedBrand(region, run.owner),
  );
  return named.flatMap((run) => {
    if (/[:：]$/.test(run.text.trim()) || BRAND_LABELS.has(foldLabel(run.text))) return [];
    const name = run.text
      .replace(MORE_OF, '')
      .replace(/^(?:by|von|de|par|di|da|от)\s+/i, '')
      .replace(NUMBER_BEHIND, '');
    const brand = NO_NAME.test(name) || NUMBERED.test(name) ? undefined : brandText(name);
    return brand === undefined || !/\p{L}/u.test(brand) || /^\d/.test(brand)
      ? []
      : [{ value: brand, source: 'html' as const, field: 'text:brand', weight: SHOWN_BRAND.named }];
  });
}

/** The words before the brand in a link to all its products: `See other products by: Lumen`. */
const MORE_OF =
  /^(?:see|view|shop|show|more|all|other|mehr|alle|weitere|voir|tous|autres|ver|más|todos|vedi|altri|meer|andere)\b[^:：]{0,40}[:：]\s*/i;
/** A labelled article number, in an element that the theme names for the brand. */
const NUMBERED = /^(?:арт(?:икул)?|art(?:ikel)?|sku|ref|réf|cod|kod|код|nr|no|№)\.?\s*[:#№.]?\s*\d/iu;
/** The manufacturer's product number after the brand. */
const NUMBER_BEHIND = /\s+[\p{L}\d./-]*\d{4,}[\p{L}\d./-]*$/u;
/** Calls to action and labels that also occur in elements named for the brand. */
const NO_NAME =
  /^(?:(?:shop|view|see|show|discover|visit|browse|explore)(?: (?:all|now|more|the brand|brand|store))?|by|von|from|back|zurück|retour|volver|indietro|terug|назад|mehr|more|new|neu|sale|.{0,12}[ -](?:nr|no|num)\.?:?)$/i;

/** Whether the element, or a wrapper of it alone, is named for the brand. A link to the home page is the shop's logo. */
function isNamedBrand(region: Region, owner: El): boolean {
  if (leadsHome(hrefAround(region, owner))) return false;
  if ((region.around.own(owner) & MARK.brand) !== 0) return true;
  let el = owner.parent;
  for (
    let level = 0;
    level < WRAPPERS && el !== null && el.textTo - el.textFrom === 1;
    level++, el = el.parent
  )
    if ((region.around.own(el) & MARK.brand) !== 0) return true;
  return false;
}

/** Levels above a text within which the name of a wrapper without other text applies to it. */
const WRAPPERS = 3;

/** URLs of a shop's brand pages. */
const BRAND_PAGE =
  /\/(?:brands?|marken?|marques?|marcas?|merken|designers?|manufacturers?|hersteller|fabricantes?|producent(?:s|i)?|producenci|vyrobc[ei]|vyrobca|znack[ay]|znamke|proizvajalci|marki|vendors?|brand-?stores?)[/=?-]+[^/?#]{2,}|[?&](?:manufacturer|brand)_id=\d+(?!.*product_id)/i;
const NO_BRAND =
  /^(?:all )?(?:brands?|marken|marques|marcas|more|home|shop|back|zurück|retour|volver|indietro|terug|назад|new|sale)$|\d{3,}/i;

/** Text of a link to a brand page, near the heading. */
function linkedBrand(region: Region): FactCandidate[] {
  for (const run of region.runs) {
    if (run.distance < -12 || run.distance > 30 || run.text.length > 30) continue;
    if ((run.marks & FOREIGN) !== 0) continue;
    const href = hrefAround(region, run.owner);
    if (href === undefined || leadsHome(href) || NO_BRAND.test(run.text)) continue;
    // in some shops, URLs of pages differ only in the query
    const begins = (run.marks & MARK.linkAway) !== 0 && beginsHeading(region, run) && isBrandLike(run.text);
    if (!BRAND_PAGE.test(href) && !begins) continue;
    const value = brandText(run.text);
    if (value !== undefined)
      return [{ value, source: 'html', field: 'link:brand', weight: SHOWN_BRAND.link }];
  }
  return [];
}

/** Whether a run is the first of several in the heading: a link there leads to the brand. */
function beginsHeading({ heading }: Region, { at }: Run): boolean {
  return at === heading.textFrom && heading.textTo - heading.textFrom > 1;
}

function leadsHome(href: string | undefined): boolean {
  return href !== undefined && /^(?:https?:\/\/[^/]+)?\/?$/.test(href);
}

function hrefAround({ doc }: Pick<Region, 'doc'>, owner: El): string | undefined {
  for (let el: El | null = owner, level = 0; el !== null && level < 4; el = el.parent, level++) {
    if (el.name === 'a') return doc.attr(el, 'href');
  }
  return undefined;
}

/** Alternative text of an image near the heading, in an element named for the brand. */
function brandLogo(region: Region): FactCandidate[] {
  const { doc, around, heading } = region;
  const from = Math.max(0, heading.index - LOGO_ELEMENTS);
  const to = Math.min(doc.elements.length, heading.end + LOGO_ELEMENTS);
  for (let i = from; i < to; i++) {
    const el = doc.elements[i] as El;
    if (el.name !== 'img' || el.parent === null) continue;
    if (!isBrandLogo(region, el)) continue;
    if ((around.of(el) & (FOREIGN | MARK.hidden)) !== 0) continue;
    const alt = (doc.attr(el, 'alt') ?? '').replace(/\blogo\b/gi, '').trim();
    const value = alt.length > 30 || NO_BRAND.test(alt) ? undefined : brandText(alt);
    if (value !== undefined) return [{ value, source: 'html', field: 'img:alt', weight: SHOWN_BRAND.logo }];
  }
  return [];
}

const LOGO_ELEMENTS = 60;

/** Whether an image is in an element without text that is named for the brand, or in a link to a brand page. */
function isBrandLogo({ doc, around }: Region, img: El): boolean {
  if (leadsHome(hrefAround({ doc }, img))) return false;
  let el: El | null = img;
  for (
    let level = 0;
    level <= WRAPPERS && el !== null && el.textTo === el.textFrom;
    level++, el = el.parent
  ) {
    if ((around.own(el) & MARK.brand) !== 0) return true;
    if (el.name === 'a' && BRAND_PAGE.test(doc.attr(el, 'href') ?? '')) return true;
  }
  return img.parent !== null && (around.own(img.parent) & MARK.brand) !== 0;
}
