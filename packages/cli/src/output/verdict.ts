import {
  type CheckName,
  type CheckResult,
  LOAD_BEARING_CHECKS,
  REASONS,
  type SignedClaims,
  type VerifyStatus,
} from '@touchstone/certificate/verify';
import type { PageVerdict } from '@touchstone/page';
import { factsText, labelled, signedText } from './signed.ts';
import { type Cell, list, type Paint, safe, table } from './text.ts';
import { CHECK_ORDER, CHECK_QUESTIONS, ELSEWHERE, nextStep, VERDICT_WORDS } from './words.ts';

/** A verdict to show, from any command. */
export interface VerdictView {
  readonly verdict: PageVerdict | VerifyStatus;
  /** Address or name of what was checked. */
  readonly subject: string;
  /** It is verified, but not at the requested address: redirects led to another page. */
  readonly elsewhere?: boolean;
  /** Lines under the headline: product, site, time. */
  readonly about: readonly (readonly [label: string, value: string])[];
  readonly signed?: SignedClaims | undefined;
  /** The page's own statements. */
  readonly facts?: readonly (readonly [label: string, value: string])[];
  readonly checks?: Readonly<Partial<Record<CheckName, boolean | null>>>;
  readonly details?: Readonly<Partial<Record<CheckName, CheckResult>>>;
  /** Each as `code: sentence`. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly findings: readonly string[];
  /** Replaces the verdict's usual next step. */
  readonly next?: string;
}

/** The verdict with its reasons, then signed claims, the page's statements, checks, warnings, findings and the next step. */
export function verdictText(view: VerdictView, paint: Paint): string {
  const words = view.elsewhere === true ? ELSEWHERE : VERDICT_WORDS[view.verdict];
  const next = view.next ?? (view.elsewhere === true ? words.next : nextStep(view.verdict, view.errors));
  return [
    `${paint('strong', paint(words.style, words.title))}  ${safe(view.subject)}\n${words.why}\n`,
    list('', view.errors),
    labelled(view.about, paint),
    signedText(view.signed, paint),
    factsText(view.facts ?? [], paint),
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
      { text: name },
      { text: CHECK_QUESTIONS[name] + (advisory ? ' (advice)' : '') },
      { text: why(result ?? null, view.details?.[name]) },
    ];
  });
}

function why(result: boolean | null, detail: CheckResult | undefined): string {
  if (result === true) return '';
  if (detail === undefined) return result === null ? 'did not run' : '';
  const both = [
    detail.expected === undefined ? '' : ` Expected ${detail.expected}.`,
    detail.actual === undefined ? '' : ` Found ${detail.actual}.`,
  ].join('');
  return safe(REASONS[detail.reason] + both);
}
