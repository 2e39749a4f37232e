import type { VerificationResult } from '@touchstone/certificate/verify';
import type { Observation } from '@touchstone/page';
import { type JudgedCandidate, type PageJudgement, pageReport, pageVerdict } from '@touchstone/page/verdict';
import { factsOf } from '../commands/report.ts';
import type { VerdictView } from '../output/verdict.ts';
import type { DocumentOutcome } from './document.ts';

/** For programs: the page check report without the service's id, with the whole verification beside it. */
export function pageOutcome(
  observation: Observation,
  candidates: readonly JudgedCandidate[],
): Readonly<Record<string, unknown>> {
  const { id: _, ...report } = pageReport('', observation, candidates);
  const result = resultOf(pageVerdict(observation, candidates));
  return { ...report, ...(result === undefined ? {} : { verification: result }) };
}

/** For people. */
export function pageView(observation: Observation, judgement: PageJudgement): VerdictView {
  const { url, finalUrl, outcome } = observation;
  const { verdict, errors, warnings, findings } = judgement;
  const result = resultOf(judgement);
  const about: (readonly [string, string])[] = [];
  if (finalUrl !== url) about.push(['landed on', finalUrl]);
  if (result !== undefined) about.push(['product', result.productId]);
  if (outcome.kind === 'page' && outcome.reading.gate === null) about.push(...factsOf(outcome.reading.facts));
  const blocked = errors.some((error) => /^(address|port)_blocked:/.test(error));
  return {
    verdict,
    subject: url,
    about,
    ...(result === undefined ? {} : { checks: result.checks, details: result.checkDetails }),
    errors,
    warnings,
    findings,
    ...(blocked ? { next: 'For a host of your own say where it is: --connect-to host=address:port.' } : {}),
  };
}

export function documentView(outcome: DocumentOutcome, name: string, pageUrl: string): VerdictView {
  const about = [['page', pageUrl]] as const;
  if (outcome.kind !== 'result') {
    const { kind: verdict, error } = outcome;
    return { verdict, subject: name, about, errors: [error], warnings: [], findings: [] };
  }
  const { result } = outcome;
  return {
    verdict: result.status,
    subject: name,
    about: [...about, ['product', result.productId]],
    checks: result.checks,
    details: result.checkDetails,
    errors: result.errors,
    warnings: result.warnings,
    findings: [],
  };
}

function resultOf({ decidedBy }: PageJudgement): VerificationResult | undefined {
  return decidedBy?.kind === 'verified_by' ? decidedBy.result : undefined;
}
