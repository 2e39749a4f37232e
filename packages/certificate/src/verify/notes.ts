import { isObject } from '../proof/strict-json.ts';
import type { CheckContext } from './check-context.ts';
import { REASONS, type Reason } from './reasons.ts';
import type { CheckName, CheckResult } from './types.ts';
import { LOAD_BEARING_CHECKS } from './verdict.ts';

const TRUST_NAMES: readonly string[] = ['certifiedAssets', 'totalAssets', 'coveragePercent'];

type Details = Readonly<Record<CheckName, CheckResult>>;

const ADVISORY_CHECKS = ['domainKnown', 'domainVerified', 'trustDataCurrent'] as const;

/** One error per reason of the load-bearing checks that are false. */
export function resultErrors(details: Details): string[] {
  const failing = LOAD_BEARING_CHECKS.filter((name) => details[name].result === false);
  return notesOf(
    failing.map((name) => details[name]),
    REASONS,
  );
}

/** Warnings that do not affect the verdict: failed advisory checks, and the reason why a document was dropped. */
export function resultWarnings(context: CheckContext, details: Details, dropped?: Reason): string[] {
  const failing = ADVISORY_CHECKS.filter((name) => details[name].result === false);
  const codes: Reason[] = [];
  if (dropped !== undefined) codes.push(dropped);
  if (context.isContextForeign) codes.push('context_foreign');
  if (trustBlockDiffers(context)) codes.push('trust_block_differs');
  if (context.registry?.publishing === false) codes.push('product_not_publishing');
  if (context.registry?.stale === true) codes.push('registry_stale');
  return notesOf([...codes.map((reason) => ({ reason })), ...failing.map((name) => details[name])], REASONS);
}

/**
 * `code: sentence` once for each reason, with the values compared by the first check of that reason. An untrusted
 * issuer comes first: its unknown keys are only a consequence.
 */
export function notesOf<R extends string>(
  results: readonly { readonly reason: R; readonly expected?: string; readonly actual?: string }[],
  sentences: Readonly<Record<R, string>>,
): string[] {
  if (results.length === 0) return [];
  const byReason = new Map<R, string>();
  const ofIssuer = results
    .filter(({ reason }) => reason === 'issuer_untrusted')
    // results with compared values first
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

/** The signed counts are authoritative; a difference in the document's own counts only causes a warning. */
function trustBlockDiffers({ document, proof }: CheckContext): boolean {
  const stated = document?.['svc:trust'];
  const signed = proof?.claims;
  if (stated === undefined || stated === null || !signed) return false;
  if (!isObject(stated)) return true;
  // additional names count only if the proof binds members; older proofs did not cover them
  const differs = (name: string, value: unknown) =>
    TRUST_NAMES.includes(name) ? value !== signed[name] : signed.members !== undefined;
  return Object.entries(stated).some(
    ([name, value]) => value !== undefined && value !== null && differs(name, value),
  );
}
