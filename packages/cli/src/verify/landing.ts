import { isAboutAnotherHost, type PageVerdict } from '@touchstone/page';
import { Option } from 'commander';
import { EXIT, EXIT_OF_VERDICT, type ExitCode } from '../cli-error.ts';

/** Whether the user takes the page where redirects lead for the one that was asked for. */
export interface LandingOptions {
  readonly followHost?: boolean;
}

export function followHostOption(): Option {
  return new Option(
    '--follow-host',
    'take a page on another host, where redirects led, for the one asked for',
  );
}

/** What is told of a page, as far as its exit code depends on it. */
export interface PageOutcome {
  readonly verdict: PageVerdict;
  readonly warnings: readonly string[];
}

/**
 * Whether a page is verified on another host than the one that was asked for, and the user did not say that this will
 * do: nothing is known then of what visitors see at the address that was asked for.
 */
export function isVerifiedElsewhere(told: PageOutcome, { followHost }: LandingOptions): boolean {
  return told.verdict === 'verified' && followHost !== true && isAboutAnotherHost(told);
}

export function exitOfPage(told: PageOutcome, options: LandingOptions): ExitCode {
  return isVerifiedElsewhere(told, options) ? EXIT.cannotTell : EXIT_OF_VERDICT[told.verdict];
}
