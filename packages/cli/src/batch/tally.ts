import type { PageVerdict } from '@touchstone/page';
import { EXIT, EXIT_OF_VERDICT, type ExitCode } from '../exit-codes.ts';
import type { Address } from './addresses.ts';
import type { Outcome } from './record.ts';

/** What came of a list of pages. */
export interface Tally {
  /** Pages of the list, each once. */
  readonly pages: number;
  /** Those with an outcome. */
  readonly done: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** One for all: see `exitCodeOf`. */
  readonly exitCode: ExitCode;
}

export function tally(addresses: readonly Address[], found: ReadonlyMap<string, Outcome>): Tally {
  const outcomes: Partial<Record<Outcome, number>> = {};
  let done = 0;
  for (const { url } of addresses) {
    const outcome = found.get(url);
    if (outcome === undefined) continue;
    done++;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  const told = Object.keys(outcomes) as Outcome[];
  return { pages: addresses.length, done, outcomes, exitCode: exitCodeOf(told, done === addresses.length) };
}

/** The exit code of one outcome. */
export function exitCodeOfOutcome(outcome: Outcome): ExitCode {
  return Object.hasOwn(EXIT_OF_VERDICT, outcome) ? EXIT_OF_VERDICT[outcome as PageVerdict] : EXIT.cannotTell;
}

/**
 * One failure makes the list failed. Then, what is not known weighs more than what is known to be unsigned; and 0
 * takes that every page is verified.
 */
function exitCodeOf(outcomes: readonly Outcome[], complete: boolean): ExitCode {
  const codes = new Set(outcomes.map(exitCodeOfOutcome));
  if (!complete) return EXIT.cannotTell;
  return [EXIT.failed, EXIT.cannotTell, EXIT.unverified].find((code) => codes.has(code)) ?? EXIT.verified;
}
