import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFacts } from '@touchstone/facts';
import { readPage } from '@touchstone/page/read';
import { type PageCase, readCases, readJson } from './corpus.ts';
import { compareMarkup, type Difference, MARKUP_CORPORA } from './markup.ts';
import { reasonOf } from './markup-reasons.ts';
import { readPriceStrings } from './price-strings.ts';
import { judge } from './score.ts';

/** Results for the prices of one set; `explained`: different from the expectation, for a stated reason. */
interface PriceFigures {
  readonly set: string;
  readonly pages: number;
  readonly wrong: number;
  readonly missed: number;
  readonly explained: number;
}

/** Pages whose expectation differs from what they print, by the beginning of their names. */
const OVERLOOKED: readonly (readonly [string, string])[] = [
  ['0d1c8923ac06', 'it prints `Rs 23,450`, which is 23450'],
  ['globalindustrial', 'it prints `Price: $165.95` beside its heading'],
];

/** Maximum share of pages with a wrong price. */
const MOST_WRONG = 0.01;

/** For every set with prices, prints how many are wrong. */
export function priceSets(corpora: string): void {
  console.log('\nPrices of every set            pages  wrong  missed  wrong-rate  wrong for a reason');
  for (const { set, pages, wrong, missed, explained } of figuresOf(corpora)) {
    const rate = pages === 0 ? 0 : wrong / pages;
    const mark = rate > MOST_WRONG ? '  MORE THAN 1 %' : '';
    console.log(
      `  ${set.padEnd(26)} ${String(pages).padStart(6)} ${String(wrong).padStart(6)} ${String(missed).padStart(7)} ${rate.toFixed(4).padStart(11)} ${String(explained).padStart(8)}${mark}`,
    );
  }
  for (const [name, reason] of OVERLOOKED) console.log(`  For a reason: ${name}: ${reason}`);
}

function figuresOf(corpora: string): PriceFigures[] {
  const strings = readPriceStrings(corpora);
  return [
    ofCases('product-pages', readCases(corpora)),
    ofCases('shop-pages', shopPages(corpora)),
    ofCases('challenge-pages', challengePages(corpora)),
    ...MARKUP_CORPORA.map((corpus) => ofMarkup(corpora, corpus)),
    ...(strings === undefined
      ? []
      : [
          {
            set: 'price-strings',
            pages: strings.strings,
            wrong: strings.wrong + strings.invented,
            missed: strings.missed,
            explained: 0,
          },
        ]),
  ];
}

function ofCases(set: string, cases: readonly PageCase[]): PriceFigures {
  const outcomes = cases.map(({ id, url, truth, html }) => {
    const { price } = readPage(html(), { url }, readFacts).facts;
    const outcome = judge('price', truth, price === null ? {} : { price: price.value });
    const isWrong = outcome === 'wrong' || outcome === 'invented';
    return isWrong && OVERLOOKED.some(([name]) => id.startsWith(name)) ? 'explained' : outcome;
  });
  const count = (...of: string[]): number => outcomes.filter((outcome) => of.includes(outcome)).length;
  return {
    set,
    pages: cases.length,
    wrong: count('wrong', 'invented'),
    missed: count('missed'),
    explained: count('explained'),
  };
}

/** Pages of shops with the printed price of each; `null`: none. */
function shopPages(corpora: string): PageCase[] {
  const folder = join(corpora, 'shop-pages');
  if (!existsSync(join(folder, 'expected.json'))) return [];
  const expected = readJson<Record<string, { url: string; price: string | null }>>(
    join(folder, 'expected.json'),
  );
  return Object.entries(expected).map(([file, { url, price }]) => ({
    id: file,
    url,
    family: file,
    truth: { url, ...(price !== null && { price: [price] }) },
    html: () => readFileSync(join(folder, file)),
  }));
}

/** Challenge pages instead of product pages, which state no price. */
function challengePages(corpora: string): PageCase[] {
  const folder = join(corpora, 'challenge-pages');
  if (!existsSync(folder)) return [];
  const url = 'https://site.example/p/1';
  return readdirSync(folder).map((file) => ({
    id: file,
    url,
    family: file,
    truth: { url },
    html: () => readFileSync(join(folder, file)),
  }));
}

function ofMarkup(corpora: string, corpus: string): PriceFigures {
  const { products, differences } = compareMarkup(corpora, corpus);
  const prices = differences.filter(({ attribute }) => attribute === 'price');
  const isWrong = ({ read }: Difference): boolean => read !== undefined;
  const unexplained = prices.filter((difference) => reasonOf(difference) === undefined);
  return {
    set: corpus,
    pages: products,
    wrong: unexplained.filter(isWrong).length,
    missed: unexplained.filter((difference) => !isWrong(difference)).length,
    explained: prices.filter((difference) => isWrong(difference) && reasonOf(difference) !== undefined)
      .length,
  };
}
