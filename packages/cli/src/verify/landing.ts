import { isAboutAnotherPage, isContextForeign, type PageVerdict } from '@touchstone/certificate';
import type { VerifyStatus } from '@touchstone/certificate/verify';
import { Option } from 'commander';
import { EXIT, EXIT_OF_VERDICT, type ExitCode } from '../cli-error.ts';

/** Whether the user accepts the page that redirects lead to in place of the requested one. */
export interface LandingOptions {
  readonly followHost?: boolean;
}

export function followHostOption(): Option {
  return new Option(
    '--follow-host',
    'accept the page that redirects lead to, on this or another host, in place of the requested one',
  );
}

/** The parts of a page's result that its exit code depends on. */
export interface PageOutcome {
  readonly verdict: PageVerdict | VerifyStatus | 'undetermined';
  readonly warnings: readonly string[];
}

/**
 * Why something verified is not to be relied on as it stands: redirects led to another page, without the user's consent, so
 * that nothing is known about what visitors see at the requested address; or nobody knows what its `@context` makes of it.
 */
export type Reservation = 'another_page' | 'context_foreign';

export function reservationOf(told: PageOutcome, { followHost }: LandingOptions): Reservation | undefined {
  if (told.verdict !== 'verified') return undefined;
  if (followHost !== true && isAboutAnotherPage(told)) return 'another_page';
  return isContextForeign(told) ? 'context_foreign' : undefined;
}

export function exitOf(told: PageOutcome, options: LandingOptions = {}): ExitCode {
  const isUndecided = told.verdict === 'undetermined' || reservationOf(told, options) !== undefined;
  return isUndecided ? EXIT.cannotTell : EXIT_OF_VERDICT[told.verdict];
}
