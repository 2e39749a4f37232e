import type { El } from '../dom/document.ts';
import type { FactCandidate } from '../fact-candidates.ts';
import { brandText } from '../values/text.ts';
import { SHOWN_BRAND } from '../weights.ts';
import { BRAND_LABEL, foldLabel } from './labels.ts';
import { MARK } from './marks.ts';
import type { Region, Run } from './region.ts';

const BYLINES: readonly RegExp[] = [
  /^visit the (.{2,60}) store$/iu,
  /^besuche(?:n sie)? den (.{2,60}?)[- ]store$/iu,
  /^visiter la boutique (.{2,60})$/iu,
  /^visita lo store di (.{2,60})$/iu,
  /^visita la (?:store|tienda) de (.{2,60})$/iu,
  /^visite a loja (.{2,60})$/iu,
  /^bezoek de (.{2,60})-store$/iu,
  /^(?:shop all|more from|see all from|all products (?:from|by)|mehr von|alle produkte von|voir tous les produits) (.{2,40})$/iu,
];

/** Brands that the page shows close to the heading without a label: a line, a named element, a link, a picture. */
export function shownBrands(region: Region): FactCandidate[] {
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
  for (const pattern of BYLINES) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined) return brandText(name);
  }
  return undefined;
}

/** Text of an element that is named as the brand, close to the heading. */
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
    if (/[:：]$/.test(run.text.trim()) || BRAND_LABEL.test(foldLabel(run.text))) return [];
    const brand = brandText(run.text.replace(/^(?:by|von|de|par|di|da|от)\s+/i, ''));
    return brand === undefined || !/\p{L}/u.test(brand) || /^\d/.test(brand)
      ? []
      : [{ value: brand, source: 'html' as const, field: 'text:brand', weight: SHOWN_BRAND.named }];
  });
}

/** By a name of its own or of a parent that holds nothing else; a link home is the shop's logo. */
function isNamedBrand(region: Region, owner: El): boolean {
  if (/^(?:https?:\/\/[^/]+)?\/?$/.test(hrefAround(region, owner) ?? '#')) return false;
  const { parent } = owner;
  const alone = parent !== null && parent.textTo - parent.textFrom === 1;
  return ((region.around.own(owner) | (alone ? region.around.own(parent) : 0)) & MARK.brand) !== 0;
}

/** Addresses of a shop's pages about one brand. */
const BRAND_PAGE =
  /\/(?:brands?|marken?|marques?|marcas?|merken|designers?|manufacturers?|hersteller|fabricantes?|producent(?:s|i)?|producenci|vyrobc[ei]|vyrobca|znack[ay]|znamke|proizvajalci|marki|vendors?|brand-?stores?)[/=?-]+[^/?#]{2,}/i;
const NO_BRAND = /^(?:all )?(?:brands?|marken|marques|marcas|more|home|shop|back|new|sale)$|\d{3,}/i;

/** Text of a link to a page about a brand, close to the heading. */
function linkedBrand(region: Region): FactCandidate[] {
  for (const run of region.runs) {
    if (run.distance < -12 || run.distance > 30 || run.text.length > 30) continue;
    if ((run.marks & MARK.linkAway) === 0 || (run.marks & FOREIGN) !== 0) continue;
    const href = hrefAround(region, run.owner);
    if (href === undefined || !BRAND_PAGE.test(href) || NO_BRAND.test(run.text)) continue;
    const value = brandText(run.text);
    if (value !== undefined)
      return [{ value, source: 'html', field: 'link:brand', weight: SHOWN_BRAND.link }];
  }
  return [];
}

function hrefAround(region: Region, owner: El): string | undefined {
  for (let el: El | null = owner, level = 0; el !== null && level < 4; el = el.parent, level++) {
    if (el.name === 'a') return region.doc.attr(el, 'href');
  }
  return undefined;
}

/** Alternative text of a picture in an element that is named as the brand, close to the heading. */
function brandLogo(region: Region): FactCandidate[] {
  const { doc, around, heading } = region;
  const from = Math.max(0, heading.index - LOGO_ELEMENTS);
  const to = Math.min(doc.elements.length, heading.end + LOGO_ELEMENTS);
  for (let i = from; i < to; i++) {
    const el = doc.elements[i] as El;
    if (el.name !== 'img' || el.parent === null) continue;
    const named = around.own(el) | around.own(el.parent);
    if ((named & MARK.brand) === 0) continue;
    if ((around.of(el) & (FOREIGN | MARK.hidden)) !== 0) continue;
    const alt = (doc.attr(el, 'alt') ?? '').replace(/\blogo\b/gi, '').trim();
    const value = alt.length > 30 || NO_BRAND.test(alt) ? undefined : brandText(alt);
    if (value !== undefined) return [{ value, source: 'html', field: 'img:alt', weight: SHOWN_BRAND.logo }];
  }
  return [];
}

const LOGO_ELEMENTS = 60;
