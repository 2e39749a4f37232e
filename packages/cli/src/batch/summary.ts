import { CONCLUSION_TABLE, type ConclusionCode } from '@touchstone/certificate';
import { EXIT, EXIT_OF_CONCLUSION, type ExitCode } from '../cli-error.ts';
import { list, type Paint, type Style, safe, table } from '../output/text.ts';
import { CONCLUSION_WORDS, STYLES } from '../output/words.ts';
import type { Address, AddressList } from './addresses.ts';
import { BATCH_ERRORS, type BatchError, type Outcome } from './results.ts';

/** Totals of a batch. */
export interface Tally {
  /** Distinct pages of the list. */
  readonly pages: number;
  /** Pages with an outcome. */
  readonly done: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** Exit code of the batch: see `exitCodeOf`. */
  readonly exitCode: ExitCode;
}

export function tallyOf(addresses: readonly Address[], found: ReadonlyMap<string, Outcome>): Tally {
  const outcomes: Partial<Record<Outcome, number>> = {};
  let done = 0;
  for (const { url } of addresses) {
    const outcome = found.get(url);
    if (outcome === undefined) continue;
    done++;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  const present = Object.keys(outcomes) as Outcome[];
  return {
    pages: addresses.length,
    done,
    outcomes,
    exitCode: exitCodeOf(present, done === addresses.length),
  };
}

/** Exit code for one outcome. */
export function exitCodeOfOutcome(outcome: Outcome): ExitCode {
  if (outcome === 'verified') return EXIT.verified;
  return Object.hasOwn(EXIT_OF_CONCLUSION, outcome)
    ? EXIT_OF_CONCLUSION[outcome as ConclusionCode]
    : EXIT.cannotTell;
}

/**
 * Any failed page makes the batch fail. Otherwise unknown outcomes take precedence over unsigned pages; 0 requires every page to be
 * verified.
 */
function exitCodeOf(outcomes: readonly Outcome[], complete: boolean): ExitCode {
  const codes = new Set(outcomes.map(exitCodeOfOutcome));
  if (!complete) return EXIT.cannotTell;
  return [EXIT.failed, EXIT.cannotTell, EXIT.unverified].find((code) => codes.has(code)) ?? EXIT.verified;
}

/** Result of a batch. */
export interface BatchOutcome {
  readonly list: AddressList;
  readonly found: ReadonlyMap<string, Outcome>;
  readonly tally: Tally;
  /** Pages settled by earlier runs. */
  readonly before: number;
  /** The results file, if any. */
  readonly out?: string | undefined;
}

/** The summary as JSON. */
export function batchValue({ list: { repeated }, tally, before, out }: BatchOutcome): object {
  const { pages, done, outcomes } = tally;
  return { pages, done, outcomes, before, repeated, out };
}

const SHOWN = 10;

/** The summary as text: totals, and the first failed pages. */
export function batchText(
  { list: { addresses, repeated }, found, tally, before, out }: BatchOutcome,
  paint: Paint,
): string {
  const { pages, done, outcomes } = tally;
  const failed = addresses.filter(({ url }) => {
    const outcome = found.get(url);
    return outcome !== undefined && exitCodeOfOutcome(outcome) === EXIT.failed;
  });
  const rest = failed.length - SHOWN;
  const present = (Object.keys(outcomes) as Outcome[]).toSorted(
    (a, b) => exitCodeOfOutcome(a) - exitCodeOfOutcome(b) || (outcomes[b] ?? 0) - (outcomes[a] ?? 0),
  );
  const remarks = [
    ...(before > 0 ? [`${before} of them by an earlier run`] : []),
    ...(repeated > 0 ? [`${repeated} repeated ${repeated === 1 ? 'line' : 'lines'} skipped`] : []),
  ];
  return [
    `${done} of ${pages} ${pages === 1 ? 'page' : 'pages'} done${remarks.length === 0 ? '' : `, ${remarks.join(', ')}`}.\n`,
    table(
      present.map((outcome) => {
        const { title, style, note } = wordsOf(outcome);
        const number = String(outcomes[outcome]).padStart(String(pages).length);
        return [number, { text: title, shown: paint(style, title) }, `${outcome}${note}`];
      }),
    ),
    list(
      'Failed',
      failed
        .slice(0, SHOWN)
        .map(({ line, url }) => `line ${line}: ${url} (${found.get(url)})`)
        .concat(rest > 0 ? [`and ${rest} more`] : []),
    ),
    out === undefined ? '' : `Results: ${safe(out)}\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function wordsOf(outcome: Outcome): { readonly title: string; readonly style: Style; readonly note: string } {
  if (Object.hasOwn(BATCH_ERRORS, outcome)) {
    return { title: 'NOT CHECKED', style: 'unsure', note: `: ${BATCH_ERRORS[outcome as BatchError]}` };
  }
  const code = outcome === 'verified' ? 'issued_to_proven_host' : (outcome as ConclusionCode);
  const { verdicts = [], level = 'none' } = CONCLUSION_TABLE.find((row) => row.code === code) ?? {};
  const isReserved = outcome !== 'verified' && verdicts.includes('verified');
  return {
    title: CONCLUSION_WORDS[code].title,
    style: STYLES[level],
    note: isReserved ? ': verified, but not to be relied on as it stands' : '',
  };
}
