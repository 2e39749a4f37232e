import { type Conclusion, type ConclusionCode, conclude, type PageVerdict } from '@touchstone/certificate';
import type { AgreementOutcome } from '@touchstone/certificate/agreement';
import type { CheckName, SignedClaims, VerifyStatus } from '@touchstone/certificate/verify';
import { Option } from 'commander';
import { EXIT, EXIT_OF_CONCLUSION, type ExitCode } from '../cli-error.ts';

/** Conclusions against relying on a verified page that the user may accept, each by its option. */
const ACCEPTABLE = {
  followHost: 'redirected',
  ignorePageFacts: 'page_differs',
  acceptUnproven: 'control_unproven',
} as const satisfies Record<string, ConclusionCode>;

export type RelianceOptions = { readonly [Name in keyof typeof ACCEPTABLE]?: boolean };

export function relianceOptions(): Option[] {
  return [
    new Option(
      '--follow-host',
      'accept the page that redirects lead to, on this or another host, in place of the requested one',
    ),
    new Option('--ignore-page-facts', 'accept a page that states something else than what was signed'),
    new Option('--accept-unproven', 'accept a host of which nobody has shown who runs it'),
  ];
}

/** A report or a result, as far as the exit code depends on it. */
export interface ConcludedReport {
  readonly verdict: PageVerdict | VerifyStatus | 'undetermined';
  readonly conclusion: Conclusion;
  readonly mc4p?: {
    readonly checks?: Readonly<Partial<Record<CheckName, boolean | null>>> | undefined;
    readonly signed?: SignedClaims | undefined;
  };
  readonly agreement?: { readonly outcome: AgreementOutcome } | undefined;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly findings?: readonly string[];
}

/** The conclusion to show: of the page that redirects lead to, if the user accepts it. Other conclusions are shown although accepted. */
export function conclusionFor(report: ConcludedReport, { followHost }: RelianceOptions): Conclusion {
  return accepting(report, followHost === true ? ['redirected'] : []);
}

/** The code of what is concluded, without what the user accepts. */
export function concludedBy(report: ConcludedReport, options: RelianceOptions = {}): ConclusionCode {
  const names = Object.keys(ACCEPTABLE) as (keyof typeof ACCEPTABLE)[];
  const accepted = names.filter((name) => options[name] === true).map((name) => ACCEPTABLE[name]);
  return accepting(report, accepted).code;
}

function accepting(report: ConcludedReport, accepted: readonly ConclusionCode[]): Conclusion {
  if (!accepted.includes(report.conclusion.code)) return report.conclusion;
  const { mc4p, agreement, ...notes } = report;
  return conclude(report.verdict, { ...mc4p, ...notes, agreement: agreement?.outcome }, accepted);
}

export function exitOf(report: ConcludedReport, options: RelianceOptions = {}): ExitCode {
  const code = concludedBy(report, options);
  // of a page, expiry alone is no failure; of a document, the verdict is `failed`
  if (code === 'certificate_expired' && report.verdict === 'failed') return EXIT.failed;
  return EXIT_OF_CONCLUSION[code];
}
