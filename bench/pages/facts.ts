/**
 * Compares the reader's facts of real product pages with ground truth and with three other readers. `npm run bench:pages -- facts [--errors
 * [attribute] | --shops [attribute] | --prices | --speed]`
 */
import { readFacts } from '@touchstone/facts';
import { readPage } from '@touchstone/page/read';
import {
  type Answer,
  corporaFolder,
  halves,
  type PageCase,
  PEERS,
  readCases,
  readPeer,
} from './facts/corpus.ts';
import { readLabelled } from './facts/labelled.ts';
import { hostilePages, oddInputs } from './facts/odd.ts';
import { priceSets } from './facts/price-sets.ts';
import { ATTRIBUTES, figures, judge, MARK_TABLE, outOfStock } from './facts/score.ts';
import { readMarked, readRendered, withoutMarkup } from './facts/sets.ts';
import { readShops, type ShopCase } from './facts/shops.ts';
import { speed } from './facts/speed.ts';

type Answers = Readonly<Record<string, Answer>>;

function ours(cases: readonly PageCase[]): Record<string, Answer> {
  const answers: Record<string, Answer> = {};
  for (const { id, url, html } of cases) {
    const { facts } = readPage(html(), { url }, readFacts);
    const answer: Record<string, string> = {};
    for (const name of ATTRIBUTES) {
      const fact = facts[name];
      if (fact !== null) answer[name] = fact.value;
    }
    answers[id] = answer;
  }
  return answers;
}

function table(
  title: string,
  cases: readonly PageCase[],
  readers: readonly (readonly [string, Answers])[],
): void {
  console.log(
    `\n${title} (${cases.length} pages)      precision  recall     F1  F1 labelled  wrong-rate  right wrong missed invented`,
  );
  for (const attribute of ATTRIBUTES) {
    for (const [name, answers] of readers) {
      const outcomes = cases.map(({ id, truth }) => judge(attribute, truth, answers[id] ?? {}));
      const row = (label: string, strict: boolean): void => {
        const { precision, recall, f1, labelledF1, wrongRate, counts } = figures(outcomes, strict);
        const numbers = [precision, recall, f1, labelledF1, wrongRate]
          .map((value) => value.toFixed(3).padStart(8))
          .join(' ');
        const tail = [counts.right, counts.wrong, counts.missed, counts.invented]
          .map((n) => String(n).padStart(6))
          .join('');
        console.log(`  ${label.padEnd(26)} ${numbers} ${tail}`);
      };
      row(`${attribute} ${name}`, false);
      if (attribute === 'currency') row(`${attribute} ${name} (strict)`, true);
    }
  }
  for (const [name, answers] of readers) {
    const { recall, precision } = outOfStock(cases, answers);
    console.log(`  OutOfStock ${name}: recall ${recall}, precision ${precision}`);
  }
}

function errors(cases: readonly PageCase[], answers: Answers, only: string | undefined): void {
  const split = halves(cases);
  for (const { id, url, family, truth } of cases) {
    for (const attribute of ATTRIBUTES) {
      if (only !== undefined && only !== attribute) continue;
      const outcome = judge(attribute, truth, answers[id] ?? {});
      if (outcome === 'right' || outcome === 'silent' || outcome === 'unlabelled') continue;
      const want = JSON.stringify(truth[attribute] ?? null);
      const got = JSON.stringify(answers[id]?.[attribute] ?? null);
      console.log(
        `${split.get(family)} ${id.slice(0, 60)} ${attribute} ${outcome}: ${got}, truth ${want}  ${url.slice(0, 90)}`,
      );
    }
  }
}

async function main(argv: readonly string[]): Promise<number> {
  const corpora = corporaFolder(process.env);
  if (corpora === undefined) {
    console.error('No corpora: set TOUCHSTONE_CORPORA to the folder that holds product-pages.');
    return 2;
  }
  if (argv[0] === '--shops') {
    const shops = readShops(process.env);
    errors(shops, ours(shops), argv[1]);
    otherSets(shops);
    return 0;
  }
  const cases = readCases(corpora);
  if (argv[0] === '--speed') {
    await speed(cases);
    return 0;
  }
  if (argv[0] === '--prices') {
    priceSets(corpora);
    return 0;
  }
  const mine = ours(cases);
  if (argv[0] === '--errors') {
    errors(cases, mine, argv[1]);
    return 0;
  }
  const readers = [['ours', mine] as const, ...PEERS.map((peer) => [peer, readPeer(corpora, peer)] as const)];
  const split = halves(cases);
  const part = (half: 'A' | 'B'): PageCase[] => cases.filter(({ family }) => split.get(family) === half);
  table('All', cases, readers);
  table('Half A, rules chosen here', part('A'), readers.slice(0, 1));
  table('Half B, rules checked here', part('B'), readers.slice(0, 1));
  console.log(`\nFamilies of A: ${families(part('A'))}\nFamilies of B: ${families(part('B'))}`);
  stripTable('All', cases);
  otherSets(readShops(process.env));
  priceSets(corpora);
  oddInputs();
  hostilePages();
  await speed(cases);
  console.log(`Currency marks of the truth: ${JSON.stringify(MARK_TABLE)}`);
  return 0;
}

/** The sets outside of the repository, if their folders are configured. */
function otherSets(shops: readonly ShopCase[]): void {
  halvesOf('Shopify shops', 'TOUCHSTONE_SHOPS', shops);
  if (shops.length > 0) {
    const answers = ours(shops);
    const given = shops.flatMap(({ id, ids }) =>
      [answers[id]?.price, answers[id]?.sku].filter((value) => value !== undefined && ids.has(value)),
    );
    console.log(`  Database ids given as price or sku: ${given.length}`);
    stripTable('Shopify shops', shops);
  }
  halvesOf('WooCommerce, rendered', 'TOUCHSTONE_WOOCOMMERCE', readRendered(process.env));
  labelledSets();
  const marked = readMarked(process.env).map(withoutMarkup);
  if (marked.length === 0) absent('Pages without their markup', 'TOUCHSTONE_MARKED_PAGES');
  else table('Pages without their markup, against what it said', marked, [['ours', onlyAsked(marked)]]);
}

/** Pages labelled by hand, each part of a set by itself. */
function labelledSets(): void {
  const parts = readLabelled(process.env);
  if (parts.size === 0) absent('Pages labelled by hand', 'TOUCHSTONE_LABELLED_PAGES');
  for (const [half, pages] of parts) table(`Labelled by hand, ${half}`, pages, [['ours', ours(pages)]]);
}

function absent(title: string, variable: string): void {
  console.log(`\n${title}: left out, ${variable} names no folder (bench/pages/facts/ says of which form).`);
}

/** Half of the families for tuning rules, half for validating them. */
function halvesOf(title: string, variable: string, cases: readonly PageCase[]): void {
  if (cases.length === 0) {
    absent(title, variable);
    return;
  }
  const split = halves(cases);
  for (const half of ['A', 'B'] as const) {
    const part = cases.filter(({ family }) => split.get(family) === half);
    table(`${title}, rules ${half === 'A' ? 'chosen' : 'checked'} here`, part, [['ours', ours(part)]]);
    console.log(`  Of ${families(part)}`);
  }
}

/** Results from the page's text and scripts only. */
function stripTable(title: string, cases: readonly PageCase[]): void {
  table(`${title}, markup taken out first`, cases, [['ours', ours(cases.map(withoutMarkup))]]);
}

/** Answers about attributes that the markup states: it may omit what a page prints. */
function onlyAsked(cases: readonly PageCase[]): Record<string, Answer> {
  const answers = ours(cases);
  return Object.fromEntries(
    cases.map(({ id, truth }) => [
      id,
      Object.fromEntries(
        ATTRIBUTES.flatMap((name) => (truth[name] === undefined ? [] : [[name, answers[id]?.[name]]])),
      ),
    ]),
  );
}

function families(cases: readonly PageCase[]): string {
  return [...new Set(cases.map(({ family }) => family))].toSorted().join(' ');
}

process.exitCode = await main(process.argv.slice(2));
