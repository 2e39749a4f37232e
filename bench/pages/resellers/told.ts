import type { Offer } from './offers.ts';
import type { Told } from './registry.ts';

/** A page that was asked about, and what was told. */
export interface AskedPage extends Told {
  readonly offer: Offer;
  /** Whether its shop photographs its goods itself. */
  readonly areOwn: boolean;
  /** What an agent was told, of those that one asked about. */
  readonly said?: string | undefined;
}

/** What would accuse a shop. */
const ACCUSING =
  /\b(?:cop(?:y|ies|ied)|clon\w+|fraud\w*|fake\w*|stol\w+|steal\w*|scam\w*|counterfeit\w*|thie\w+|suspicious|impersonat\w+)\b/i;
/** What would keep a buyer away from it. */
const WARNING = /do not (?:buy|rely)/i;

/** Our own words, without what the page states itself. */
const wordsOf = ({ report, pictures, said = '' }: AskedPage): string =>
  [
    report.conclusion.sentence,
    ...report.findings,
    ...pictures.findings.map(({ sentence }) => sentence),
    ...pictures.matches.map(({ statement }) => statement),
    said,
  ].join('\n');

const isTold = ({ pictures }: AskedPage) => pictures.matches.length > 0;
const isAccused = (page: AskedPage) => ACCUSING.test(wordsOf(page)) || WARNING.test(wordsOf(page));

/** What is not to be told of an honest shop: an accusation, or pictures that are not those of its product. */
export const isStrange = (page: AskedPage, sold: ReadonlySet<string>): boolean =>
  isAccused(page) || (isTold(page) && (page.areOwn || !sold.has(page.offer.product)));

/**
 * How many pages are told what.
 *
 * @param sold - products that somebody has certified
 */
export function figuresOf(
  pages: readonly AskedPage[],
  sold: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const count = (is: (page: AskedPage) => boolean) => pages.filter(is).length;
  const isSold = ({ offer }: AskedPage) => sold.has(offer.product);
  const figures = new Map([
    ['sell a certified product', count(isSold)],
    ['… with pictures of its maker', count((page) => isSold(page) && !page.areOwn)],
    ['are told for whom their pictures are certified', count(isTold)],
    ['… two or more pictures', count(({ pictures }) => pictures.matches.some((match) => match.pictures > 1))],
    ['… the same name', count(({ pictures }) => pictures.matches.some(({ same }) => same.includes('name')))],
    ['… the same GTIN', count(({ pictures }) => pictures.matches.some(({ same }) => same.includes('gtin')))],
    ['… though their product is another one', count((page) => isTold(page) && !isSold(page))],
    ['… though their pictures are their own', count((page) => isTold(page) && page.areOwn)],
    ['are accused', count(isAccused)],
    ['agents asked about', count(({ said }) => said !== undefined)],
  ]);
  for (const { report, pictures } of pages)
    for (const key of [
      ...pictures.findings.map(({ code }) => code),
      `${report.verdict}, ${report.conclusion.level}`,
      ...report.findings.map((finding) => finding.slice(0, finding.indexOf(':'))),
    ])
      figures.set(key, (figures.get(key) ?? 0) + 1);
  return figures;
}

export function printFigures(title: string, figures: ReadonlyMap<string, number>): void {
  console.log(`\n${title}`);
  for (const [what, how] of figures) console.log(`${String(how).padStart(7)} ${what}`);
}
