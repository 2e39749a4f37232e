/**
 * Measures what the reader reads on real product pages against ground truth and three other readers.
 * `npm run bench:facts -- [--errors [attribute] | --shops [attribute] | --speed]`
 */
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
import { ATTRIBUTES, figures, judge, MARK_TABLE, outOfStock } from './facts/score.ts';
import { readShops, type ShopCase } from './facts/shops.ts';
import { speed } from './facts/speed.ts';

type Answers = Readonly<Record<string, Answer>>;

function ours(cases: readonly PageCase[], textOnly = false): Record<string, Answer> {
  const answers: Record<string, Answer> = {};
  for (const { id, url, html } of cases) {
    const { facts } = readPage(textOnly ? withoutMarkup(html()) : html(), { url });
    const answer: Record<string, string> = {};
    for (const name of ATTRIBUTES) {
      const fact = facts[name];
      if (fact !== null) answer[name] = fact.value;
    }
    answers[id] = answer;
  }
  return answers;
}

/** The page without JSON-LD, microdata and product meta: what is left is its text and what scripts embed. */
function withoutMarkup(html: Uint8Array): string {
  return new TextDecoder()
    .decode(html)
    .replace(/application\/ld\+json/gi, 'text/x-none')
    .replace(/\bitem(?=prop|scope|type|ref)/gi, 'x')
    .replace(/<meta[^>]+(?:og:price|product:|twitter:(?:data|label))[^>]*>/gi, '');
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
    shopTables(shops);
    return 0;
  }
  const cases = readCases(corpora);
  if (argv[0] === '--speed') {
    await speed(cases);
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
  table('All, markup taken out first', cases, [['ours', ours(cases, true)]]);
  shopTables(readShops(process.env));
  await speed(cases);
  console.log(`Currency marks of the truth: ${JSON.stringify(MARK_TABLE)}`);
  return 0;
}

/** Mirrored shops, where there are any: half of them for choosing rules, half for checking. */
function shopTables(cases: readonly ShopCase[]): void {
  if (cases.length === 0) {
    console.log(
      '\nNo mirrored shops: TOUCHSTONE_SHOPS names no folder (bench/facts/shops.ts says of which form).',
    );
    return;
  }
  const answers = ours(cases);
  const split = halves(cases);
  for (const half of ['A', 'B'] as const) {
    const part = cases.filter(({ family }) => split.get(family) === half);
    const title = half === 'A' ? 'Shopify shops, rules chosen here' : 'Shopify shops, rules checked here';
    table(title, part, [['ours', answers]]);
    console.log(`  Shops: ${families(part)}`);
  }
  const given = cases.flatMap(({ id, ids }) =>
    [answers[id]?.price, answers[id]?.sku].filter((value) => value !== undefined && ids.has(value)),
  );
  console.log(`  Database ids given as price or sku: ${given.length}`);
}

function families(cases: readonly PageCase[]): string {
  return [...new Set(cases.map(({ family }) => family))].toSorted().join(' ');
}

process.exitCode = await main(process.argv.slice(2));
