import type { PageStatements, Statement, StatementSource } from '@touchstone/certificate/agreement';
import {
  cleanText,
  type El,
  type HtmlDocument,
  type MetaMap,
  type PageIndex,
} from '@touchstone/page/document';
import { BOUNDS } from './bounds.ts';
import type { FactCandidate, FactCandidates } from './fact-candidates.ts';
import type { ProductRecord, Stated } from './schema-org/record.ts';
import { htmlToText } from './values/text.ts';

/** Values of each kind that are kept. */
const MAX_VALUES = 50;
/** Main headings that are read; a page with more is `capped`. */
const MAX_HEADINGS = 12;
const MAX_PREVIEWS = 3;
/** Characters of all picture addresses together. */
const MAX_PICTURES = 20_000;

/** The parsed page with the records of its product and what was read about it. */
export interface StatementsInput {
  readonly doc: HtmlDocument;
  readonly index: PageIndex;
  readonly metas: MetaMap;
  readonly products: readonly ProductRecord[];
  /** Records of other products that may be taken for the page's: their names count. */
  readonly others: readonly ProductRecord[];
  readonly candidates: FactCandidates;
}

/**
 * Collects all that the page states to identify its product: in data and on the screen, since the two may name different
 * products. What only its certificate says is left out: `products` do not contain it.
 */
export function readStatements(input: StatementsInput): PageStatements {
  const { metas, products, candidates } = input;
  const { names, capped } = readNames(input);
  const siteName = cleanText(metas.get('og:site_name')?.[0] ?? '', BOUNDS.shortLength);
  const all = products.flatMap((product) => [product, ...product.variants]);
  const inRecords = (name: 'sku' | 'gtin'): Statement[] =>
    all.flatMap((record) => [record, ...record.offers].flatMap((entry) => statedIn(record, entry[name])));
  return {
    names,
    brands: distinct([
      ...all.flatMap((record) => statedIn(record, record.brand)),
      ...candidates.brand.map(fromCandidate),
    ]),
    skus: distinct([...inRecords('sku'), ...candidates.sku.map(fromCandidate)]),
    gtins: distinct(inRecords('gtin')),
    pictures: withinLength(candidates.images.map(({ value }) => value)),
    ...(siteName !== '' && { siteName }),
    ...(capped && { capped }),
  };
}

function readNames({ doc, index, metas, products, others }: StatementsInput): {
  readonly names: readonly Statement[];
  readonly capped: boolean;
} {
  const records = [...products, ...others].flatMap((record) =>
    statedIn(record, record.name, BOUNDS.nameLength),
  );
  const h1s = index.headings.filter(({ name }) => name === 'h1');
  const headings = shownHeadings(doc, h1s.slice(0, MAX_HEADINGS)).map((el) =>
    cleanText(doc.text(el, BOUNDS.nameLength), BOUNDS.nameLength),
  );
  const titles = index.title === null ? [] : [doc.text(index.title, BOUNDS.nameLength)];
  const previews = ['og:title', 'twitter:title'].flatMap((name) =>
    (metas.get(name) ?? []).slice(0, MAX_PREVIEWS),
  );
  const all = distinct([
    ...headings.map(stating('h1')),
    ...titles.map(stating('title')),
    ...previews.map(stating('og')),
    ...records,
  ]);
  return { names: all, capped: h1s.length > MAX_HEADINGS };
}

/** The headings that visitors see as the page's own. Those of carts, menus and logos count if there are no others. */
function shownHeadings(doc: HtmlDocument, headings: readonly El[]): readonly El[] {
  const filled = headings.filter((el) => !doc.inFallback(el) && doc.text(el, 20) !== '');
  const shown = filled.filter((el) => !isAside(doc, el));
  return shown.length > 0 ? shown : filled;
}

const ASIDE: ReadonlySet<string> = new Set(['nav', 'footer', 'aside', 'dialog']);
const CONTENT: ReadonlySet<string> = new Set(['main', 'article', 'section']);
const ASIDE_NAME =
  /(?:^|[\s_-])(?:(?:mini-?)?cart|drawer|modal|popup|off-?canvas|cookies?|newsletter|logo|site-header|sr-only|visually-?hidden|screen-reader-text)(?:$|[\s_-])/i;

/** Whether an element is hidden, or in a part of the page that is not about the product. */
function isAside(doc: HtmlDocument, el: El): boolean {
  let header = false;
  for (let at: El | null = el; at !== null && at.name !== 'body'; at = at.parent) {
    if (CONTENT.has(at.name)) header = false;
    if (at.name === 'header') header = true;
    if (ASIDE.has(at.name) || doc.hasAttr(at, 'hidden')) return true;
    if (ASIDE_NAME.test(`${doc.attr(at, 'class') ?? ''} ${doc.attr(at, 'id') ?? ''}`.slice(0, 500)))
      return true;
    if (/display:\s*none/i.test(doc.attr(at, 'style')?.slice(0, 500) ?? '')) return true;
  }
  return header;
}

function stating(source: StatementSource): (text: string) => Statement {
  return (text) => ({ source, value: htmlToText(text, BOUNDS.nameLength) });
}

function statedIn(
  { source }: ProductRecord,
  stated: Stated | undefined,
  max: number = BOUNDS.shortLength,
): Statement[] {
  if (stated === undefined) return [];
  return [{ source: source === 'jsonld' ? 'jsonld' : 'microdata', value: htmlToText(stated.value, max) }];
}

function fromCandidate({ value, source, field }: FactCandidate): Statement {
  return { source: sourceOf(source, field), value: cleanText(value, BOUNDS.shortLength) };
}

function sourceOf(source: FactCandidate['source'], field: string): StatementSource {
  if (source !== 'html') return source;
  if (/^(?:microdata|rdfa|itemprop):/.test(field)) return 'microdata';
  return /^(?:text|link|img|h\d)\b/.test(field) ? 'text' : 'data';
}

/** The first statement of each value, without empty ones. */
function distinct(statements: readonly Statement[]): Statement[] {
  const seen = new Map<string, Statement>();
  for (const statement of statements) {
    if (seen.size >= MAX_VALUES) break;
    const key = `${statement.source} ${statement.value}`;
    if (statement.value !== '' && !seen.has(key)) seen.set(key, statement);
  }
  return [...seen.values()];
}

function withinLength(addresses: readonly string[]): string[] {
  let room = MAX_PICTURES;
  return [...new Set(addresses)].slice(0, MAX_VALUES).filter((address) => {
    room -= address.length;
    return room >= 0;
  });
}
