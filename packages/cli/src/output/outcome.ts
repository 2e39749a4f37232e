import type { CheckedPage } from '@touchstone/page';
import type { DocumentOutcome } from '../verify/document.ts';
import { factsOf } from './text.ts';
import type { VerdictView } from './verdict.ts';

/** For programs: the page check report without the service's id, with the whole verification beside it. */
export function pageOutcome({ report, verification }: CheckedPage): Readonly<Record<string, unknown>> {
  return { ...report, ...(verification === undefined ? {} : { verification }) };
}

/** For people. */
export function pageView({ report, verification }: CheckedPage): VerdictView {
  const { url, final_url: finalUrl, verdict, facts, errors, warnings, findings } = report;
  const about: (readonly [string, string])[] = [];
  if (finalUrl !== url) about.push(['landed on', finalUrl]);
  if (verification !== undefined) about.push(['product', verification.productId]);
  about.push(...factsOf(facts));
  const blocked = errors.some((error) => /^(address|port)_blocked:/.test(error));
  return {
    verdict,
    subject: url,
    about,
    ...(verification === undefined
      ? {}
      : { checks: verification.checks, details: verification.checkDetails }),
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
