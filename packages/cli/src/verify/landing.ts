import { isAboutAnotherPage, type PageVerdict } from '@touchstone/certificate';
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
  readonly verdict: PageVerdict;
  readonly warnings: readonly string[];
}

/**
 * Whether another page than the requested one was verified, without the user's consent: nothing is then known about what
 * visitors see at the requested address.
 */
export function isVerifiedElsewhere(told: PageOutcome, { followHost }: LandingOptions): boolean {
  return told.verdict === 'verified' && followHost !== true && isAboutAnotherPage(told);
}

export function exitOfPage(told: PageOutcome, options: LandingOptions): ExitCode {
  return isVerifiedElsewhere(told, options) ? EXIT.cannotTell : EXIT_OF_VERDICT[told.verdict];
}
