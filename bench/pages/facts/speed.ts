import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { readFacts } from '@touchstone/facts';
import { readPage } from '@touchstone/page/read';
import { Parser, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { alternate, median } from '../../kit/rounds.ts';
import type { PageCase } from './corpus.ts';

const ROUNDS = 5;

type Run = (html: string, url: string) => unknown;

/** Processor time in milliseconds per page, of each reader in every round, interleaved. */
export async function speedOf(cases: readonly PageCase[]): Promise<Record<string, number[]>> {
  const pages = cases.map(({ html, url }) => ({ html: new TextDecoder().decode(html()), url }));
  const runs: Record<string, Run> = {
    tokens: bareTokens,
    parser: bareParser,
    ours: (html, url) => readPage(html, { url }, readFacts),
    ...Object.fromEntries(await peers()),
  };
  const timeOf = (run: Run) => async () => {
    const start = process.cpuUsage();
    for (const { html, url } of pages) await run(html, url);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000 / pages.length;
  };
  const measures = Object.entries(runs).map(([name, run]) => [name, timeOf(run)] as const);
  return alternate(ROUNDS, Object.fromEntries(measures));
}

/** Sizes in bytes of the large pages that are measured separately; 600 KB on average. */
const LARGE = { from: 450_000, to: 800_000 } as const;

/** Prints the processor time per page, the median of the rounds, and the ratio to tokenizing only; again for large pages. */
export async function speed(cases: readonly PageCase[]): Promise<void> {
  await speedTable('all pages', cases);
  await speedTable(`pages of ${LARGE.from / 1_000} to ${LARGE.to / 1_000} KB`, largePages(cases));
}

export function largePages(cases: readonly PageCase[]): PageCase[] {
  return cases.filter(({ html }) => {
    const { length } = html();
    return length >= LARGE.from && length < LARGE.to;
  });
}

async function speedTable(which: string, cases: readonly PageCase[]): Promise<void> {
  const measured = await speedOf(cases);
  const tokens = median(measured.tokens ?? []);
  const ours = median(measured.ours ?? []);
  console.log(`\nProcessor time per page, ${which} (${cases.length} pages, median of ${ROUNDS} rounds)`);
  for (const [name, all] of Object.entries(measured)) {
    const ms = median(all);
    const perSecond = (1_000 / ms).toFixed(0).padStart(5);
    console.log(
      `  ${name.padEnd(24)} ${ms.toFixed(2).padStart(8)} ms ${perSecond} pages/s  ${(tokens / ms).toFixed(2)} of tokens, ${(ms / ours).toFixed(2)} × ours`,
    );
  }
}

const nothing = (): void => {};
const NO_CALLBACKS: TokenizerCallbacks = {
  onattribdata: nothing,
  onattribend: nothing,
  onattribentity: nothing,
  onattribname: nothing,
  oncdata: nothing,
  onclosetag: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onend: nothing,
  onopentagend: nothing,
  onopentagname: nothing,
  onprocessinginstruction: nothing,
  onselfclosingtag: nothing,
  ontext: nothing,
  ontextentity: nothing,
};

function bareTokens(html: string): void {
  const tokenizer = new Tokenizer({}, NO_CALLBACKS);
  tokenizer.write(html);
  tokenizer.end();
}

function bareParser(html: string): void {
  new Parser({ onopentag: nothing, ontext: nothing, onclosetag: nothing }).end(html);
}

/** Rules of metascraper: those for a link preview. */
const RULES = ['title', 'description', 'image', 'publisher', 'url'] as const;

/** Other readers, if `npm ci --prefix tools/facts-peers --ignore-scripts` installed them; nothing depends on them. */
async function peers(): Promise<[string, Run][]> {
  const found: [string, Run][] = [];
  const metascraper = await optional('metascraper');
  const rules = (await Promise.all(RULES.map((rule) => optional(`metascraper-${rule}`)))).flatMap(
    (rule) => rule ?? [],
  );
  if (metascraper !== undefined && rules.length === RULES.length) {
    const reader = (of: typeof rules): Run => {
      const scrape = metascraper(of.map((rule) => rule())) as (page: object) => Promise<unknown>;
      return (html, url) => scrape({ html, url });
    };
    found.push(
      ['metascraper (title)', reader(rules.slice(0, 1))],
      ['metascraper (five rules)', reader(rules)],
    );
  } else
    console.log(
      'metascraper is not installed (npm ci --prefix tools/facts-peers --ignore-scripts): not measured',
    );
  const openGraph = await optional('open-graph-scraper');
  if (typeof openGraph === 'function') found.push(['open-graph-scraper', (html) => openGraph({ html })]);
  else
    console.log(
      'open-graph-scraper is not installed (npm ci --prefix tools/facts-peers --ignore-scripts): not measured',
    );
  return found;
}

async function optional(name: string): Promise<((argument?: unknown) => unknown) | undefined> {
  try {
    const path = createRequire(new URL('../../../tools/facts-peers/package.json', import.meta.url)).resolve(
      name,
    );
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
    return typeof module.default === 'function'
      ? (module.default as (argument?: unknown) => unknown)
      : undefined;
  } catch {
    return undefined;
  }
}
