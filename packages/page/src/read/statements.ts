import type { PageStatements, Statement, StatementSource } from '@touchstone/certificate/agreement';
import { BOUNDS } from './bounds.ts';
import type { HtmlDocument } from './dom/document.ts';
import type { PageIndex } from './dom/page-index.ts';
import type { FactCandidate, FactCandidates } from './fact-candidates.ts';
import type { MetaMap } from './meta.ts';
import type { ProductRecord, Stated } from './schema-org/record.ts';
import { cleanText, htmlToText } from './values/text.ts';

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

function readNames({ doc, index, metas, products }: StatementsInput): {
  readonly names: readonly Statement[];
  readonly capped: boolean;
} {
  const records = products.flatMap((record) => statedIn(record, record.name, BOUNDS.nameLength));
  const h1s = index.headings.filter(({ name }) => name === 'h1');
  const headings = h1s
    .slice(0, MAX_HEADINGS)
    .filter((el) => !doc.inFallback(el))
    .map((el) => cleanText(doc.text(el, BOUNDS.nameLength), BOUNDS.nameLength));
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
