import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readFacts } from '@touchstone/facts';
import { readPage } from '@touchstone/page/read';
import { describe, expect, it } from 'vitest';
import { type Answer, type Half, halves, type PageCase, readCases } from '../../bench/pages/facts/corpus.ts';
import { type PriceStringFigures, readPriceStrings } from '../../bench/pages/facts/price-strings.ts';
import { ATTRIBUTES, type Attribute, figures, judge, outOfStock } from '../../bench/pages/facts/score.ts';

const CORPORA = process.env.TOUCHSTONE_CORPORA ?? resolve(import.meta.dirname, '../../../shared/corpora');
const at = (...path: string[]): string => join(CORPORA, ...path);
const text = (...path: string[]): string => readFileSync(at(...path), 'utf8');
const URL_OF_EXAMPLES = 'https://site.example/p/1';

describe.skipIf(!existsSync(at('product-pages')))('the 70 product pages', () => {
  const cases = existsSync(at('product-pages')) ? readCases(CORPORA) : [];
  const answers: Record<string, Answer> = {};
  for (const { id, url, html } of cases) {
    const { facts } = readPage(html(), { url }, readFacts);
    answers[id] = Object.fromEntries(
      ATTRIBUTES.flatMap((name) => (facts[name] === null ? [] : [[name, facts[name].value]])),
    );
  }
  const f1 = (attribute: Attribute, of: readonly PageCase[] = cases): number =>
    figures(of.map(({ id, truth }) => judge(attribute, truth, answers[id] ?? {}))).f1;

  // brand: annotators omitted the brand of 7 pages, so 0.90 cannot be reached
  it.each([
    ['price', 0.93],
    ['currency', 0.9],
    ['availability', 0.95],
    ['sku', 0.88],
    ['brand', 0.85],
  ] as const)('%s is read with an F1 of at least %s', (attribute, least) => {
    expect(f1(attribute)).toBeGreaterThanOrEqual(least);
  });

  it('prices are read with a precision of at least 0.96', () => {
    const outcomes = cases.map(({ id, truth }) => judge('price', truth, answers[id] ?? {}));
    expect(figures(outcomes).precision).toBeGreaterThanOrEqual(0.96);
  });

  it('OutOfStock is recalled on at least 3 of 5 pages', () => {
    const [right, wanted] = outOfStock(cases, answers).recall.split('/').map(Number);
    expect((right ?? 0) / (wanted ?? 1)).toBeGreaterThanOrEqual(0.6);
  });

  it.each(['price', 'currency', 'availability', 'brand'] as const)(
    '%s is read about as well on the half from which no rule was derived as on all',
    (attribute) => {
      const split = halves(cases);
      const half = (name: Half) => cases.filter(({ family }) => split.get(family) === name);
      expect(f1(attribute, half('B'))).toBeGreaterThanOrEqual(f1(attribute) - 0.04);
    },
  );

  it('are all distinguished from gates and walls', () => {
    const gated = cases.filter(({ url, html }) => readPage(html(), { url }, readFacts).gate !== null);
    expect(gated.map(({ url }) => url)).toEqual([]);
  });
});

describe.skipIf(!existsSync(at('price-strings')))('price strings', () => {
  it('are read correctly in at least 98 of 100 cases, and almost never wrongly', () => {
    const { strings, right, wrong, invented } = readPriceStrings(CORPORA) as PriceStringFigures;
    expect(right / strings).toBeGreaterThanOrEqual(0.98);
    expect(wrong + invented).toBeLessThanOrEqual(4);
  });
});

describe.skipIf(!existsSync(at('shop-pages')))('shop pages', () => {
  const expected = JSON.parse(text('shop-pages', 'expected.json')) as Record<
    string,
    { url: string; price: string | null }
  >;
  // it prints "Price: $165.95" beside its heading, which its expectation overlooks
  const PRINTS_ONE = ['globalindustrial.html'];

  it.each(Object.entries(expected).filter(([file]) => !PRINTS_ONE.includes(file)))(
    '%s',
    (file, { url, price }) => {
      const { facts } = readPage(readFileSync(at('shop-pages', file)), { url }, readFacts);
      expect(facts.price === null ? null : Number(facts.price.value)).toBe(
        price === null ? null : Number(price),
      );
    },
  );
});

describe.skipIf(!existsSync(at('challenge-pages')))('challenge pages', () => {
  it.each(readdirSync(at('challenge-pages')))('%s is a wall and states no fact', (file) => {
    const { gate, facts } = readPage(
      readFileSync(at('challenge-pages', file)),
      { url: URL_OF_EXAMPLES },
      readFacts,
    );
    expect(gate?.kind).toBe('challenge');
    expect(
      Object.values(facts)
        .flat()
        .filter((fact) => fact !== null),
    ).toEqual([]);
  });
});

/** The reader's result for an example in one line, without the title. */
function reading(html: string): string {
  const { name, price, currency, availability, sku, brand } = readPage(
    html,
    { url: URL_OF_EXAMPLES },
    readFacts,
  ).facts;
  const stated = name?.field === 'h1' || name?.field === 'title' ? null : name;
  return JSON.stringify(
    [stated, price, currency, availability, sku, brand].map((fact) => fact?.value ?? null),
  );
}

describe.skipIf(!existsSync(at('schemaorg-examples')))("schema.org's own product examples", () => {
  // the example's own prices differ; a dealer's offer of a car; an Offer that refers to its item only by a link
  const DIFFER = ['#eg-0010', '#eg-0329', '#eg-0393'];
  const examples = readdirSync(at('schemaorg-examples'))
    .filter((file) => file.endsWith('.txt'))
    .flatMap((file) =>
      text('schemaorg-examples', file)
        .split(/^TYPES:/m)
        .slice(1),
    )
    .filter((example) => /Product|Offer\b/.test(example.split('\n', 1)[0] ?? ''))
    .filter((example) => !DIFFER.some((id) => example.trimStart().startsWith(id)));
  const section = (example: string, name: string): string =>
    new RegExp(
      `^${name}:\\s*\\n([\\s\\S]*?)(?=^(?:PRE-MARKUP|MICRODATA|RDFA|JSON|TYPES):|$(?![\\s\\S]))`,
      'm',
    ).exec(example)?.[1] ?? '';

  it('give the same in microdata, RDFa and JSON-LD', () => {
    for (const example of examples) {
      const sections = ['MICRODATA', 'RDFA', 'JSON']
        .map((name) => section(example, name))
        .filter((html) => html.trim().length >= 40);
      const readings = new Set(sections.map(reading));
      expect(readings.size, example.slice(0, 400)).toBeLessThanOrEqual(1);
    }
    expect(examples.length).toBeGreaterThan(20);
  });
});

describe.skipIf(!existsSync(at('rich-results')))('rich results', () => {
  const files = ['Product', 'ProductMerchant'].flatMap((folder) =>
    existsSync(at('rich-results', folder))
      ? readdirSync(at('rich-results', folder)).map((file) => [`${folder}/${file}`] as const)
      : [],
  );

  it.each(files)('%s is read as marked up', (file) => {
    const json = JSON.parse(text('rich-results', file)) as Record<string, unknown>;
    const html = `<script type="application/ld+json">${JSON.stringify(json)}</script>`;
    const { facts } = readPage(html, { url: URL_OF_EXAMPLES }, readFacts);
    if (json['@type'] !== 'Product') return;
    const [offer] = [json.offers].flat() as (Record<string, unknown> | undefined)[];
    expect(facts.name?.value).toBe(json.name);
    expect(facts.sku?.value).toBe(json.sku);
    const price = offer?.price ?? offer?.lowPrice;
    const specified = (offer?.priceSpecification as { price?: unknown } | undefined)?.price;
    if (price !== undefined || !Array.isArray(offer?.priceSpecification)) {
      expect(facts.price === null ? undefined : Number(facts.price.value)).toBe(
        price === undefined && specified === undefined ? undefined : Number(price ?? specified),
      );
    }
  });
});

describe('example markup of other projects', () => {
  const folders = ['product-markup', 'extruct-samples', 'microdata', 'json-ld-html', 'rich-results'];
  const htmlUnder = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return htmlUnder(path);
      return /\.html?$/.test(name) ? [path] : [];
    });

  it.each(folders.filter((folder) => existsSync(at(folder))))('%s is read without an exception', (folder) => {
    for (const path of htmlUnder(at(folder))) {
      expect(() => readPage(readFileSync(path), { url: URL_OF_EXAMPLES }, readFacts), path).not.toThrow();
    }
  });
});

describe.skipIf(!existsSync(at('json-ld-html')))('W3C script extraction', () => {
  // the tests about finding and reading scripts, all of them; the others select a script by a fragment, resolve against a base, or require
  // an error where we repair and report
  it.each([
    ['e001', 1],
    ['e002', 2],
    ['e004', 2],
    ['e005', 2],
    ['e007', 0],
    ['e010', 1],
    ['e018', 1],
    ['c001', 1],
    ['c002', 2],
    ['c004', 2],
    ['f001', 1],
    ['f002', 2],
    ['f004', 2],
    ['f005', 2],
    ['e013', 0],
  ])('%s: %i blocks, valid', async (name, count) => {
    const { buildDocument } = await import('../../packages/page/src/read/dom/build.ts');
    const { indexPage } = await import('../../packages/page/src/read/dom/page-index.ts');
    const { Findings } = await import('../../packages/page/src/read/findings.ts');
    const { readJsonLdBlocks } = await import('../../packages/page/src/read/json-ld/blocks.ts');
    const findings = new Findings();
    const doc = buildDocument(text('json-ld-html', `${name}-in.html`), findings);
    const blocks = readJsonLdBlocks(doc, indexPage(doc).scripts, findings);
    expect(blocks).toHaveLength(count);
    expect(findings.list()).toEqual([]);
    if (name === 'e010') expect(JSON.stringify(blocks)).toContain('&lt;&amp;&gt;');
  });

  it.each(['e015', 'e016', 'e017'])('%s: broken or repaired, and reported', (name) => {
    const { findings } = readPage(
      text('json-ld-html', `${name}-in.html`),
      { url: URL_OF_EXAMPLES },
      readFacts,
    );
    expect(findings.join()).toMatch(/json_ld_(?:broken|repaired)/);
  });
});
