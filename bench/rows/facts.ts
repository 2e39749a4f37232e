import { corporaFolder, readCases } from '../facts/corpus.ts';
import { speedOf } from '../facts/speed.ts';
import { median, ratioOf } from '../kit/rounds.ts';
import { cost, type Row } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';

/** Readers of one page beside ours: what they may cost at least, as a multiple. */
const GOALS: Readonly<Record<string, number>> = {
  tokens: 0.25,
  'metascraper (title)': 3,
  'metascraper (five rules)': 4,
  'open-graph-scraper': 1,
};

/** Reading the facts of real pages, beside splitting them into tokens and nothing else, and beside other readers. */
export const facts: Bench = async ({ tell }) => {
  const corpora = corporaFolder(process.env);
  if (corpora === undefined) {
    tell('left out: name the folder of the pages in TOUCHSTONE_CORPORA');
    return [];
  }
  const measured = await speedOf(readCases(corpora));
  const ours = measured.ours ?? [];
  return Object.entries(GOALS).flatMap(([name, least]): Row[] => {
    const theirs = measured[name];
    if (theirs === undefined) return [];
    return [
      {
        name: 'facts of a page',
        against: name === 'tokens' ? 'htmlparser2, tokens alone' : name,
        ratio: ratioOf(theirs, ours),
        goal: ['>=', least],
        detail: `CPU of a page: ${cost(median(ours) * 1_000)} against ${cost(median(theirs) * 1_000)}`,
      },
    ];
  });
};
