import { median, ratioOf } from '../kit/rounds.ts';
import { cost, type Row } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';
import { corporaFolder, type PageCase, readCases } from '../pages/facts/corpus.ts';
import { largePages, speedOf } from '../pages/facts/speed.ts';

/** Minimum cost of other readers of one page, as a multiple of ours. */
const GOALS: Readonly<Record<string, number>> = {
  tokens: 0.25,
  'metascraper (title)': 3,
  'open-graph-scraper': 1,
};
/** The same on pages of 450 to 800 KB, 600 on average. */
const GOALS_OF_LARGE: Readonly<Record<string, number>> = { 'metascraper (five rules)': 4 };

/** Reading the facts of real pages, compared with tokenizing only, and with other readers. */
export const facts: Bench = async ({ tell }) => {
  const corpora = corporaFolder(process.env);
  if (corpora === undefined) {
    tell('left out: name the folder of the pages in TOUCHSTONE_CORPORA');
    return [];
  }
  const cases = readCases(corpora);
  return [
    ...(await rowsOf('facts of a page', cases, GOALS)),
    ...(await rowsOf('facts of a page of 600 KB', largePages(cases), GOALS_OF_LARGE)),
  ];
};

async function rowsOf(
  name: string,
  cases: readonly PageCase[],
  goals: Readonly<Record<string, number>>,
): Promise<Row[]> {
  const measured = await speedOf(cases);
  const ours = measured.ours ?? [];
  return Object.entries(goals).flatMap(([reader, least]): Row[] => {
    const theirs = measured[reader];
    if (theirs === undefined) return [];
    return [
      {
        name,
        against: reader === 'tokens' ? 'htmlparser2, tokens alone' : reader,
        ratio: ratioOf(theirs, ours),
        goal: ['>=', least],
        detail: `CPU of a page: ${cost(median(ours) * 1_000)} against ${cost(median(theirs) * 1_000)}`,
      },
    ];
  });
}
