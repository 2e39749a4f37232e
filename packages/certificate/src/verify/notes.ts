import type { CheckContext } from './check-context.ts';
import { note, REASONS, type Reason } from './reasons.ts';
import type { CheckName, CheckResult } from './types.ts';
import { LOAD_BEARING_CHECKS } from './verdict.ts';

const TRUST_NAMES: readonly string[] = ['certifiedAssets', 'totalAssets', 'coveragePercent'];

type Details = Readonly<Record<CheckName, CheckResult>>;

const ADVISORY_CHECKS = ['domainKnown', 'domainVerified', 'trustDataCurrent'] as const;

/** One error per load-bearing check that is false; a reason that several share stands once. */
export function resultErrors(details: Details): string[] {
  const failing = LOAD_BEARING_CHECKS.filter((name) => details[name].result === false);
  return notesOf(
    failing.map((name) => details[name]),
    REASONS,
  );
}

/** What the reader should know beside the verdict: advisory failures, and why a document was dropped. */
export function resultWarnings(context: CheckContext, details: Details, dropped?: Reason): string[] {
  const failing = ADVISORY_CHECKS.filter((name) => details[name].result === false);
  const codes: Reason[] = [];
  if (dropped !== undefined) codes.push(dropped);
  if (trustBlockDiffers(context)) codes.push('trust_block_differs');
  if (context.registry?.publishing === false) codes.push('product_not_publishing');
  if (codes.length + failing.length === 0) return [];
  return [
    ...codes.map((code) => note(code)),
    ...notesOf(
      failing.map((name) => details[name]),
      REASONS,
    ),
  ];
}

/**
 * `code: sentence` for each reason, once, with what the first check of that reason compared. An issuer that is not
 * trusted comes first: that its keys are not known only follows from it.
 */
export function notesOf<R extends string>(
  results: readonly { readonly reason: R; readonly expected?: string; readonly actual?: string }[],
  sentences: Readonly<Record<R, string>>,
): string[] {
  const byReason = new Map<R, string>();
  const ofIssuer = results
    .filter(({ reason }) => reason === 'issuer_untrusted')
    // what was compared, where one of them says it
    .toSorted((a, b) => Number(a.expected === undefined) - Number(b.expected === undefined));
  for (const { reason, expected, actual } of [...ofIssuer, ...results]) {
    if (byReason.has(reason)) continue;
    const details: string[] = [];
    if (expected !== undefined) details.push(`Expected ${expected}.`);
    if (actual !== undefined) details.push(`Found ${actual}.`);
    byReason.set(reason, [`${reason}: ${sentences[reason]}`, ...details].join(' '));
  }
  return [...byReason.values()];
}

/** The counts that decide are the signed ones, so that a difference in the document's own only warns. */
function trustBlockDiffers({ document, proof }: CheckContext): boolean {
  const stated = document?.['svc:trust'];
  const signed = proof?.claims;
  if (stated === undefined || stated === null || !signed) return false;
  if (typeof stated !== 'object' || Array.isArray(stated)) return true;
  // a name of its own was looked at by nobody before documents were bound
  const differs = (name: string, value: unknown) =>
    TRUST_NAMES.includes(name) ? value !== signed[name] : signed.members !== undefined;
  return Object.entries(stated).some(
    ([name, value]) => value !== undefined && value !== null && differs(name, value),
  );
}
