import type { Conclusion } from '@touchstone/certificate';
import type { Agreement } from '@touchstone/certificate/agreement';
import type { PageClaim } from '@touchstone/certificate/schema';
import {
  type CheckName,
  LOAD_BEARING_CHECKS,
  type LogFinding,
  PROFILE_REASONS,
  type ProfileCheckResult,
  REASONS,
  type SignedClaims,
  type VerifyStatus,
  WITHDRAWAL_NOTES,
  WITHDRAWAL_REASONS,
  type Withdrawal,
} from '@touchstone/certificate/verify';
import type { PageVerdict } from '@touchstone/page';
import { agreementText } from './agreement.ts';
import { claimText } from './claims.ts';
import { logRow } from './log.ts';
import { factsText, labelled, signedText } from './signed.ts';
import { type Cell, list, type Paint, safe, table } from './text.ts';
import { withdrawalRow } from './withdrawal.ts';
import { CHECK_ORDER, CHECK_QUESTIONS, CONCLUSION_WORDS, nextStep, STYLES } from './words.ts';

/** A verdict to show, from any command. */
export interface VerdictView {
  /** `undetermined`: nothing failed, but nobody has said where it was seen. */
  readonly verdict: PageVerdict | VerifyStatus | 'undetermined';
  /** Address or name of what was checked. */
  readonly subject: string;
  /** The headline. */
  readonly conclusion: Conclusion;
  /** Lines under the headline: product, site, time. */
  readonly about: readonly (readonly [label: string, value: string])[];
  /** What the page states, compared with what was signed. */
  readonly agreement?: Agreement | undefined;
  /** Whether the certificate has been withdrawn. */
  readonly withdrawal?: Withdrawal | undefined;
  /** Whether the proof is in a transparency log. */
  readonly log?: LogFinding | undefined;
  readonly signed?: SignedClaims | undefined;
  /** The page's own statements. */
  readonly facts?: readonly (readonly [label: string, value: string])[];
  /** What others are said to certify, which nobody verified. */
  readonly claims?: readonly PageClaim[] | undefined;
  readonly checks?: Readonly<Partial<Record<CheckName, boolean | null>>> | undefined;
  readonly details?: Readonly<Partial<Record<CheckName, ProfileCheckResult>>> | undefined;
  /** Each as `code: sentence`. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly findings: readonly string[];
  /** Replaces the verdict's usual next step. */
  readonly next?: string | undefined;
}

/** The verdict with its reasons, then signed claims, the page's statements, checks, warnings, findings and the next step. */
export function verdictText(view: VerdictView, paint: Paint): string {
  const { conclusion } = view;
  const next = view.next ?? nextStep(conclusion, view.errors);
  const title = paint('strong', paint(STYLES[conclusion.level], CONCLUSION_WORDS[conclusion.code].title));
  return [
    `${title}  ${safe(view.subject)}\n${safe(conclusion.sentence)}\n`,
    list('', view.errors),
    labelled(
      [['verdict', view.verdict], ...withdrawalRow(view.withdrawal), ...logRow(view.log), ...view.about],
      paint,
    ),
    agreementText(view.agreement, paint),
    signedText(view.signed, paint),
    factsText(view.facts ?? [], paint),
    list('Claimed by the page, not proven here', (view.claims ?? []).map(claimText)),
    view.checks === undefined ? '' : table(checkRows(view, paint)),
    list('Warnings', view.warnings),
    list('Findings', view.findings),
    next === undefined ? '' : `Next: ${next}\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function checkRows(view: VerdictView, paint: Paint): Cell[][] {
  return CHECK_ORDER.filter((name) => view.checks?.[name] !== undefined).map((name) => {
    const result = view.checks?.[name];
    const advisory = !(LOAD_BEARING_CHECKS as readonly CheckName[]).includes(name);
    const word = result === true ? 'ok' : result === null ? '-' : advisory ? 'no' : 'FAIL';
    const style = result === true ? 'good' : result === null ? 'dim' : advisory ? 'unsure' : 'bad';
    return [
      { text: word, shown: paint(style, word) },
      name,
      CHECK_QUESTIONS[name] + (advisory ? ' (advice)' : ''),
      why(result ?? null, view.details?.[name]),
    ];
  });
}

function why(result: boolean | null, detail: ProfileCheckResult | undefined): string {
  if (result === true) return '';
  if (detail === undefined) return result === null ? 'did not run' : '';
  const both = [
    detail.expected === undefined ? '' : ` Expected ${detail.expected}.`,
    detail.actual === undefined ? '' : ` Found ${detail.actual}.`,
  ].join('');
  return safe(
    { ...REASONS, ...PROFILE_REASONS, ...WITHDRAWAL_REASONS, ...WITHDRAWAL_NOTES }[detail.reason] + both,
  );
}
