import {
  type CheckName,
  LOAD_BEARING_CHECKS,
  PROFILE_REASONS,
  type ProfileCheckResult,
  REASONS,
  type SignedClaims,
  type VerifyStatus,
} from '@touchstone/certificate/verify';
import type { PageVerdict } from '@touchstone/page';
import type { Reservation } from '../verify/landing.ts';
import { factsText, labelled, signedText } from './signed.ts';
import { type Cell, list, type Paint, safe, table } from './text.ts';
import {
  CHECK_ORDER,
  CHECK_QUESTIONS,
  nextStep,
  RESERVED,
  UNPLACED,
  VERDICT_WORDS,
  type Words,
} from './words.ts';

/** A verdict to show, from any command. */
export interface VerdictView {
  /** `undetermined`: nothing failed, but nobody has said where it was seen. */
  readonly verdict: PageVerdict | VerifyStatus | 'undetermined';
  /** Address or name of what was checked. */
  readonly subject: string;
  /** It is verified, but not to be relied on as it stands. */
  readonly reservation?: Reservation | undefined;
  /** Lines under the headline: product, site, time. */
  readonly about: readonly (readonly [label: string, value: string])[];
  readonly signed?: SignedClaims | undefined;
  /** The page's own statements. */
  readonly facts?: readonly (readonly [label: string, value: string])[];
  readonly checks?: Readonly<Partial<Record<CheckName, boolean | null>>>;
  readonly details?: Readonly<Partial<Record<CheckName, ProfileCheckResult>>>;
  /** Each as `code: sentence`. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly findings: readonly string[];
  /** Replaces the verdict's usual next step. */
  readonly next?: string;
}

/** The verdict with its reasons, then signed claims, the page's statements, checks, warnings, findings and the next step. */
export function verdictText(view: VerdictView, paint: Paint): string {
  const words = wordsOf(view);
  const next = view.next ?? (isUsual(view) ? nextStep(view.verdict, view.errors) : words.next);
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

function isUsual(view: VerdictView): view is VerdictView & { readonly verdict: PageVerdict | VerifyStatus } {
  return view.reservation === undefined && view.verdict !== 'undetermined';
}

function wordsOf(view: VerdictView): Words {
  if (isUsual(view)) return VERDICT_WORDS[view.verdict];
  return view.reservation === undefined ? UNPLACED : RESERVED[view.reservation];
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

function why(result: boolean | null, detail: ProfileCheckResult | undefined): string {
  if (result === true) return '';
  if (detail === undefined) return result === null ? 'did not run' : '';
  const both = [
    detail.expected === undefined ? '' : ` Expected ${detail.expected}.`,
    detail.actual === undefined ? '' : ` Found ${detail.actual}.`,
  ].join('');
  return safe({ ...REASONS, ...PROFILE_REASONS }[detail.reason] + both);
}
