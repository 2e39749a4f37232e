import type { Told } from './ask.ts';

/** What would accuse a shop, or keep buyers away from it. */
const ACCUSING =
  /\b(?:cop(?:y|ies|ied)|clon\w+|fraud\w*|fake\w*|stol\w+|steal\w*|scam\w*|counterfeit\w*|thie\w+|suspicious|impersonat\w+)\b|do not (?:buy|rely)/i;

/** Our own words, without what the page states itself. */
const wordsOf = ({ page: { report }, findings, matches, advice }: Told): string =>
  [
    report.conclusion.sentence,
    ...report.errors,
    ...findings.map(({ sentence }) => sentence),
    ...matches.map(({ statement }) => statement),
    advice,
  ].join('\n');

const isTold = ({ matches }: Told) => matches.length > 0;
const isAccused = (told: Told) => ACCUSING.test(wordsOf(told));

/** By product, the merchants who have certified it. */
export type Sellers = ReadonlyMap<string, ReadonlySet<string>>;

/** What is not to be told of an honest shop: an accusation, a name, or pictures that are not those of its product. */
export const isFalse = (told: Told, sellers: Sellers): boolean =>
  isAccused(told) ||
  told.resembled.length > 0 ||
  (isTold(told) && (told.page.areOwn || !sellers.has(told.page.offer.product)));

/** How many pages are told what. */
export function figuresOf(all: readonly Told[], sellers: Sellers): ReadonlyMap<string, number> {
  const count = (is: (told: Told) => boolean) => all.filter(is).length;
  const sold = ({ page }: Told) => sellers.get(page.offer.product)?.size ?? 0;
  const figures = new Map([
    ['pages', all.length],
    ['sell a certified product', count((told) => sold(told) > 0)],
    ['… with pictures of its maker', count((told) => sold(told) > 0 && !told.page.areOwn)],
    ['… that several have certified', count((told) => sold(told) > 1 && !told.page.areOwn)],
    ['are told for whom their pictures are certified', count(isTold)],
    ['… two or more pictures', count(({ matches }) => matches.some(({ pictures }) => pictures > 1))],
    [
      '… one, and the same name',
      count(({ matches }) => matches.some(({ pictures, same }) => pictures === 1 && same.includes('name'))),
    ],
    [
      '… one, and the same GTIN',
      count(({ matches }) => matches.some(({ pictures, same }) => pictures === 1 && same.includes('gtin'))),
    ],
    ['… though several have certified the product', count((told) => isTold(told) && sold(told) > 1)],
    ['… though the product is another one', count((told) => isTold(told) && sold(told) === 0)],
    ['… though the pictures are their own', count((told) => isTold(told) && told.page.areOwn)],
    ['have a name that resembles that of a merchant', count(({ resembled }) => resembled.length > 0)],
    ['are accused, or advised against', count(isAccused)],
    [
      'hosts that a merchant is told of',
      new Set(all.flatMap(({ page, originals }) => (originals.length > 0 ? [page.offer.host] : []))).size,
    ],
  ]);
  for (const { page, findings } of all)
    for (const key of [
      `${page.report.verdict}, ${page.report.conclusion.level}`,
      ...findings.map(({ code }) => code),
    ])
      figures.set(key, (figures.get(key) ?? 0) + 1);
  return figures;
}

export function printFigures(title: string, figures: ReadonlyMap<string, number>): void {
  console.log(`\n${title}`);
  for (const [what, how] of figures) console.log(`${String(how).padStart(7)} ${what}`);
}
