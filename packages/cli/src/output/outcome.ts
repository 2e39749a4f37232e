import { conclude, isAboutAnotherPage } from '@touchstone/certificate';
import type { CheckedPage } from '@touchstone/page';
import type { DocumentOutcome } from '../verify/document.ts';
import { KINDS } from './profile.ts';
import { factsOf } from './text.ts';
import type { VerdictView } from './verdict.ts';

/** JSON output: the page check report without the service's id, and the whole verification. */
export function pageOutcome({ report, verification }: CheckedPage): Readonly<Record<string, unknown>> {
  return { ...report, verification };
}

/** The heading of a report: the requested address, unless redirects led to another page. */
export function landingView(report: {
  readonly url: string;
  readonly final_url: string;
  readonly warnings: readonly string[];
}): Pick<VerdictView, 'subject' | 'about'> {
  const { url, final_url: finalUrl } = report;
  if (isAboutAnotherPage(report)) return { subject: finalUrl, about: [['requested', url]] };
  return { subject: url, about: finalUrl === url ? [] : [['landed on', finalUrl]] };
}

/** The outcome as text. */
export function pageView({ observation: { outcome }, report, verification }: CheckedPage): VerdictView {
  const { verdict, conclusion, agreement, facts, claims, errors, warnings, findings } = report;
  const landing = landingView(report);
  const about: (readonly [string, string])[] = [...landing.about];
  if (verification !== undefined) about.push(['product', verification.productId]);
  const blocked = outcome.kind === 'failed' && /^(address|port)_blocked$/.test(outcome.code);
  return {
    verdict,
    conclusion,
    agreement,
    subject: landing.subject,
    about,
    facts: factsOf(facts),
    claims,
    withdrawal: verification?.withdrawal,
    log: verification?.log,
    signed: verification?.signed,
    checks: verification?.checks,
    details: verification?.checkDetails,
    errors,
    warnings,
    findings,
    next: blocked ? 'For a host of your own, give its address: --connect-to host=address:port.' : undefined,
  };
}

export function documentView(
  outcome: DocumentOutcome,
  name: string,
  pageUrl: string | undefined,
): VerdictView {
  const about = pageUrl === undefined ? [] : [['page', pageUrl] as const];
  if (outcome.kind !== 'result') {
    const { kind: verdict, error } = outcome;
    const notes = { errors: [error], warnings: [], findings: [] };
    return { verdict, conclusion: conclude(verdict, notes), subject: name, about, ...notes };
  }
  const { result } = outcome;
  const product = result.productId ? [['product', result.productId] as const] : [];
  const isUnplaced = result.status === 'undetermined';
  const signedFor = result.signed?.url ?? result.signed?.domain ?? name;
  return {
    verdict: result.status,
    conclusion: result.conclusion,
    subject: isUnplaced ? signedFor : name,
    about: [
      ...about,
      ...(isUnplaced ? [['file', name] as const] : []),
      ['certificate', KINDS[result.kind]],
      ...product,
    ],
    withdrawal: result.withdrawal,
    log: result.log,
    signed: result.signed,
    checks: result.checks,
    details: result.checkDetails,
    errors: result.errors,
    warnings: result.warnings,
    findings: [],
  };
}
